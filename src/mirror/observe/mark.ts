// By what an answer is told from the one before it.
import { createHash, hash, type Hash } from 'node:crypto';
import { canonicalPieces } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { withoutSignatures } from './signed-addresses.ts';

const CHARACTERS = 27;

/** Hash of an answer without the fields whose change is not news, and without signatures of addresses. */
export function markOf(kind: KindName, body: Readonly<Record<string, unknown>>): string {
  const volatile = new Set(kindOf(kind).volatile ?? []);
  const kept =
    volatile.size === 0 ? body : Object.fromEntries(Object.entries(body).filter(([field]) => !volatile.has(field)));
  const hashed: { large?: Hash } = {};
  const last = canonicalPieces(kept, (piece) => {
    // A piece never parts an address from the name of its field.
    (hashed.large ??= createHash('sha256')).update(withoutSignatures(piece));
  });
  const rest = withoutSignatures(last);
  // For short ones the one call costs a third.
  const digest = hashed.large?.update(rest).digest('base64url') ?? hash('sha256', rest, 'base64url');
  return digest.slice(0, CHARACTERS);
}
