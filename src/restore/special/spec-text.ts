// The text of an OpenAPI specification, as the mirror holds it.
import { canonicalJson, isRecord } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { textAt, type Body } from '../resource.ts';

/** The newest text that was read of a specification; null when the snapshot has none. */
export function currentText(reader: SnapshotReader, spec: Resource): string | null {
  const version = textAt(spec.body, 'lastVersion');
  if (version === undefined) return null;
  const body = reader.one('openapi-spec-content', `${spec.key}/${version}`)?.body;
  const held = body?.['filesystem'];
  const files: unknown[] = Array.isArray(held) ? held : isRecord(held) ? Object.values(held) : [];
  const entry =
    files.find((file) => isRecord(file) && file['isEntrypoint'] === true) ?? files.find(isDocument) ?? files[0];
  // Of several texts, nothing says which one names the others.
  if (typeof entry === 'string' && files.length > 1) return null;
  return asSource(isRecord(entry) && !isDocument(entry) ? entry['specification'] : entry);
}

/** True for two texts of the same document: one platform shows it as the text that it was given, another as what it has read in that. */
export function isSameDocument(one: string, other: string): boolean {
  if (one === other) return true;
  const [was, is] = [documentIn(one), documentIn(other)];
  return isRecord(was) && isRecord(is) && canonicalJson(was) === canonicalJson(is);
}

/** Null for a text that is no JSON: those are the same only word by word. */
function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True for one that was fetched from an address, with success at some time: another has no text to lose. */
export function hadTextOfAddress(spec: Body): boolean {
  return textAt(spec, 'sourceURL') !== undefined && textAt(spec, 'lastVersion') !== undefined;
}

function isDocument(file: unknown): boolean {
  return isRecord(file) && (file['openapi'] !== undefined || file['swagger'] !== undefined);
}

/** As an operation takes it, which refuses an empty text. How a version holds its files is not in the API document: some hold them bare. */
function asSource(document: unknown): string | null {
  if (typeof document === 'string') return document === '' ? null : document;
  return isRecord(document) ? JSON.stringify(document, null, 2) : null;
}
