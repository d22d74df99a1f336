// Names on disk for what has a name on the platform: inside their folder, unique on every file system, bounded, stable.
import { sha256 } from '../../base/index.ts';

/** Something that needs a name beside its siblings. */
export interface NameRequest {
  readonly id: string;
  /** Its place in the order of appearance; who came first keeps the plain name when two want the same. 0 when it is not known. */
  readonly age?: number;
  /** What it would like to be called, without the extension. */
  readonly name: string;
  /** Kept whole at the end: `.png`. */
  readonly extension?: string;
}

export interface NameRules {
  /** Names that are taken by something else. */
  readonly reserved?: readonly string[];
  /** Bytes to leave free for what is put behind the name later. */
  readonly room?: number;
}

const MAX_BYTES = 80;
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[. ]|$)/i;
// Git takes it for its own folder, as old file systems shorten that name, and leaves out what is in it.
const GIT_FOLDER = /^git~1$/i;
const ID_LENGTHS = [8, 16, 64];

/**
 * One name for each request, by id. A name depends only on what was asked for, on what those that came earlier have and, when it was
 * cut or another has it, on the id: so a newcomer changes no name. No two are the same when case and Unicode forms are ignored.
 */
export function allocateNames(requests: Iterable<NameRequest>, rules: NameRules = {}): Map<string, string> {
  const taken = new Set((rules.reserved ?? []).map(foldName));
  const names = new Map<string, string>();
  const limit = MAX_BYTES - (rules.room ?? 0);
  for (const request of [...requests].sort(byAge)) {
    const plain = safeName(request.name) + (request.extension ?? '');
    const isFree = Buffer.byteLength(plain) <= limit && !taken.has(foldName(plain));
    const name = isFree ? plain : nameWithId(request, limit, taken);
    taken.add(foldName(name));
    names.set(request.id, name);
  }
  return names;
}

function byAge(a: NameRequest, b: NameRequest): number {
  return (a.age ?? 0) - (b.age ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Equal for two names that some file system holds for the same. */
export function foldName(name: string): string {
  // The usual case, at a tenth of the cost.
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** A title as a name: lower case, words joined by `-`, letters of every script kept. May be empty. */
export function slugName(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}._~]+/gu, '-')
    .replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '');
}

/** A file's name in two: `photo.final.png` is `photo.final` and `.png`; `.png` alone is a name. */
export function splitExtension(name: string): { name: string; extension: string } {
  const [, stem = name, extension = ''] = /^(.*[^.]|\.+)(\.[A-Za-z0-9]{1,12})$/s.exec(name) ?? [];
  return { name: stem, extension };
}

/** A short word made from an id, the same for ever. */
export function shortId(id: string, length = 8): string {
  return sha256(id).slice(0, length);
}

function nameWithId(request: NameRequest, limit: number, taken: ReadonlySet<string>): string {
  const stem = safeName(request.name);
  const candidates = ID_LENGTHS.map((length) => {
    const tail = `-${shortId(request.id, length)}${request.extension ?? ''}`;
    return cutBytes(stem, limit - Buffer.byteLength(tail)) + tail;
  });
  return candidates.find((name) => !taken.has(foldName(name))) ?? shortId(request.id, limit);
}

// Control and format characters, halves of surrogate pairs and separators of paths mean trouble somewhere; so do a dot first and
// a dot or space last, and the names of Windows' devices.
function safeName(name: string): string {
  if (/^[a-z0-9_][a-z0-9_-]*$/.test(name)) return WINDOWS_DEVICE.test(name) ? `_${name}` : name;
  const safe = name
    .replaceAll(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/gu, '')
    .replaceAll(/[<>:"/\\|?*]/g, '-')
    .normalize('NFC')
    .replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, '');
  if (safe === '') return 'untitled';
  return WINDOWS_DEVICE.test(safe) || GIT_FOLDER.test(safe) ? `_${safe}` : safe;
}

function cutBytes(text: string, limit: number): string {
  let out = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    out += character;
  }
  return out.replace(/[. -]+$/, '');
}
