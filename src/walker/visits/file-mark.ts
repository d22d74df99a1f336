// What tells that an entry of a tree is another than before. Of a file, its address says more than its name and size, where other bytes
// have another one. Its host and signature may change with every answer; its path does not.
import { kindOf, type KindName } from '../../contract/index.ts';
import { bodyOf, markOf, setMark, type Current, type Mirror } from '../../mirror/index.ts';
import { keptBody, type Body } from './parts.ts';

/** The mark of an entry, without what lies below it. */
export function entryMark(kind: KindName, entry: Body): string {
  const kept = keptBody(kind, entry);
  const address = addressIn(kind, kept);
  return markOf(kind, address === undefined ? kept : { ...kept, address });
}

/** True for a file whose mark was made without its address, by an earlier program, and that is the same. */
export function isSameFile(mirror: Mirror, known: Current, { kind, entry }: { kind: KindName; entry: Body }): boolean {
  const kept = keptBody(kind, entry);
  const address = addressIn(kind, kept);
  if (address === undefined || known.mark !== markOf(kind, kept)) return false;
  return address === addressIn(kind, bodyOf(mirror, known.rid) ?? {});
}

function addressIn(kind: KindName, body: Body): string | undefined {
  const { bytes } = kindOf(kind);
  const address = bytes === undefined ? undefined : body[bytes];
  if (typeof address !== 'string') return undefined;
  return address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
}

/** Gives what a change request has of its own the mark by which a tree is compared with it. */
export function setOwnMark(mirror: Mirror, kind: KindName, rid: number): void {
  const body = bodyOf(mirror, rid);
  if (body !== undefined) setMark(mirror, rid, entryMark(kind, body));
}
