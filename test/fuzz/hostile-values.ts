// Texts that somebody sends who means harm, or whose software is broken.
import fc from 'fast-check';

const MEBIBYTE = 1024 * 1024;

/** A text far larger than any title, name or id is. */
export const HUGE_TEXT = 'huge '.repeat((10 * MEBIBYTE) / 5);

/** Names that mean something to a file system, a shell, a browser, an address or JavaScript. */
export const HOSTILE_NAMES: readonly string[] = [
  '..',
  '.',
  '',
  ' ',
  '/',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\Windows',
  '\\\\host\\share',
  '~/.ssh/id_rsa',
  'CON',
  'nul.txt',
  'LPT1.',
  'a\u0000b',
  'line\nbreak\r\n',
  '\u001b[2J\u001b]0;x\u0007',
  '\u202egnp.exe',
  '\ud800',
  '\ufeffname',
  'e\u0301 é',
  '%2e%2e%2f',
  '%00',
  '?a=b#c',
  '-rf',
  '$(reboot)',
  '`reboot`',
  "'; drop table versions; --",
  '"><script>alert(1)</script>',
  '{{7*7}}${7*7}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'SUMMARY.md',
  '.git',
  '.git/config',
  'SHA256SUMS',
  '.docmirror',
  'n'.repeat(5000),
  '🜁'.repeat(200),
  `a${'/b'.repeat(2000)}`,
];

/** A text that is hostile by design, or by chance. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_NAMES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);
