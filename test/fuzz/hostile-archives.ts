// Archives that are made to do harm, by name. Each holds one honest page beside what is hostile, where it can.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflateRaw } from 'node:zlib';
import { HOSTILE_NAMES } from './hostile-values.ts';
import { zipBytes, type ZipEntry } from './zip-bytes.ts';

const MEBIBYTE = 1024 * 1024;
const ENCRYPTED = 0x801;
const PAGE: ZipEntry = { name: 'honest.md', data: Buffer.from('# Honest\n\nText.\n') };

const NAMES: readonly (string | Buffer)[] = [
  ...HOSTILE_NAMES,
  ...HOSTILE_NAMES.map((name) => `${name}.md`),
  ...HOSTILE_NAMES.map((name) => `${name}/README.md`),
  '/dev/zero',
  '/proc/self/mem',
  'COM1.md',
  'a/../../b.md',
  'a//b.md',
  './a.md',
  'a\\..\\b.md',
  'c:/a.md',
  'honest.md/below.md',
  'HONEST.MD',
  Buffer.from([0xff, 0xfe, 0x2e, 0x6d, 0x64]),
  Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61, 0x2e, 0x6d, 0x64]),
];

const BOMB_BYTES = 256 * MEBIBYTE;

/** An entry of very many zeros, packed to a thousandth; they are nowhere in memory at once. */
async function bomb(name: string): Promise<ZipEntry> {
  const packer = createDeflateRaw();
  Readable.from(Array.from({ length: BOMB_BYTES / MEBIBYTE }, () => ZEROS)).pipe(packer);
  return { name, data: Buffer.alloc(0), packed: await buffer(packer), saidSize: BOMB_BYTES };
}

const ZEROS = Buffer.alloc(MEBIBYTE, '0');

function named(name: string | Buffer): ZipEntry {
  return { name, data: Buffer.from('# Hostile\n') };
}

function nested(levels: number): Buffer {
  let inner = zipBytes([{ name: 'page.md', data: Buffer.alloc(MEBIBYTE, '0') }]);
  for (let level = 0; level < levels; level++)
    inner = zipBytes(Array.from({ length: 10 }, (_, nth) => ({ name: `inner-${nth}.zip`, data: inner })));
  return inner;
}

/** Small ones; what is large is in `bombs`. */
export function hostileArchives(): [string, Buffer][] {
  const whole = zipBytes([PAGE, { name: 'assets/a.png', data: Buffer.from('png') }]);
  const links = ['link.md', 'assets/link.png'].map((name) => ({ ...named(name), mode: 0o120777 }));
  const devices = [0o060644, 0o020644, 0o010644, 0o140644].map((mode, nth) => ({ ...named(`device-${nth}.md`), mode }));
  return [
    ['hostile names', zipBytes([PAGE, ...NAMES.map(named)])],
    ...NAMES.map((name, nth): [string, Buffer] => [`the hostile name ${nth}`, zipBytes([PAGE, named(name)])]),
    ['links', zipBytes([PAGE, ...links])],
    ['devices', zipBytes([PAGE, ...devices])],
    ['an encrypted entry', zipBytes([PAGE, { ...named('secret.md'), flags: ENCRYPTED }])],
    ['nothing but an encrypted entry', zipBytes([{ ...named('secret.md'), flags: ENCRYPTED }])],
    ['an unknown method', zipBytes([PAGE, { ...named('odd.md'), method: 99 }])],
    ['a name twice', zipBytes([PAGE, { ...PAGE, data: Buffer.from('# Other\n') }])],
    ['the directory twice', zipBytes([PAGE], { directories: 2 })],
    ['more entries than there are', zipBytes([PAGE], { entries: 9 })],
    ['fewer entries than there are', zipBytes([PAGE, named('b.md')], { entries: 1 })],
    ['no entry', zipBytes([])],
    [
      'entries that share their bytes',
      zipBytes(Array.from({ length: 50 }, (_, n) => ({ ...PAGE, name: `${n}.md`, offset: 0 }))),
    ],
    ['an offset beyond the end', zipBytes([{ ...PAGE, offset: 0x7fffffff }])],
    ['a size that is too small', zipBytes([PAGE, { ...named('a.md'), saidSize: 1 }])],
    ['a size that is too large', zipBytes([PAGE, { ...named('a.md'), saidSize: 5000 }])],
    ['a packed size beyond the end', zipBytes([PAGE, { ...named('a.md'), saidPacked: 0x7fffffff }])],
    ['four gigabytes as it says', zipBytes([PAGE, { ...named('a.md'), saidSize: 0xfffffffe }])],
    ['bytes that are not packed', zipBytes([PAGE, { ...named('a.md'), packed: Buffer.from('not packed at all') }])],
    ...[0.1, 0.3, 0.6, 0.9, 0.99].map((part): [string, Buffer] => [
      `an end after ${part * 100} %`,
      whole.subarray(0, Math.floor(whole.length * part)),
    ]),
    ['something before it', Buffer.concat([Buffer.alloc(100, 'x'), whole])],
    ['something after it', Buffer.concat([whole, Buffer.alloc(100, 'x')])],
    ['no bytes', Buffer.alloc(0)],
    ['no archive', Buffer.from('<html>not found</html>')],
    ['archives inside archives', nested(3)],
  ];
}

/** Those that would fill the memory of whoever unpacks them as they come. */
export async function bombs(): Promise<[string, Buffer][]> {
  const entry = await bomb('bomb.md');
  return [
    ['much out of little', zipBytes([PAGE, entry])],
    ['much out of little that says it is small', zipBytes([PAGE, { ...entry, saidSize: 1000 }])],
    [
      'the same bytes many times',
      zipBytes(Array.from({ length: 40 }, (_, n) => ({ ...entry, name: `${n}.md`, offset: 0 }))),
    ],
    [
      'more entries than anybody has',
      zipBytes(Array.from({ length: 30_000 }, (_, n) => ({ ...PAGE, name: `${n}.md` }))),
    ],
    [
      'entries that each say they are small',
      zipBytes(Array.from({ length: 20 }, (_, n) => ({ ...entry, name: `${n}.md`, saidSize: 100 }))),
    ],
  ];
}

/** A Word document of which one part is given. */
export function docx(document: Buffer, more: readonly ZipEntry[] = [], lie: Partial<ZipEntry> = {}): Buffer {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>';
  return zipBytes([
    { name: '[Content_Types].xml', data: Buffer.from(types) },
    { name: 'word/document.xml', data: document, ...lie },
    ...more,
  ]);
}

/** The text of a Word document around the given part. */
export function wordText(inner: string): Buffer {
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return Buffer.from(`<w:document xmlns:w="${namespace}"><w:body>${inner}</w:body></w:document>`);
}

export async function hostileDocuments(): Promise<[string, Buffer][]> {
  const text = '<w:p><w:r><w:t>Honest</w:t></w:r></w:p>';
  const large = await bomb('word/document.xml');
  const liar = { ...large, saidSize: 1000 };
  return [
    ['nothing hostile', docx(wordText(text))],
    ['a text that says it is small and is not', docx(Buffer.alloc(0), [], liar)],
    ['a part twice, the second of which says it is small', docx(wordText(text), [liar])],
    ['a picture that says it is small', docx(wordText(text), [{ ...liar, name: 'word/media/a.png' }])],
    [
      'tables inside tables',
      docx(wordText('<w:tbl><w:tr><w:tc>'.repeat(3000) + '</w:tc></w:tr></w:tbl>'.repeat(3000))),
    ],
    ['elements that do not end', docx(wordText('<w:p>'.repeat(20_000)))],
    [
      'entities inside entities',
      docx(
        Buffer.from(
          `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY b${n} "${`&${n === 0 ? 'a' : `b${n - 1}`};`.repeat(10)}">`).join('')}]><a>&b8;</a>`,
        ),
      ),
    ],
    [
      'an entity that names a file',
      docx(Buffer.from('<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>')),
    ],
    ['no XML', docx(Buffer.from([0, 1, 2, 0xff]))],
    ['no text', zipBytes([PAGE])],
    ['no archive', Buffer.from('PK')],
    ['hostile names', docx(wordText(text), HOSTILE_NAMES.map(named))],
  ];
}
