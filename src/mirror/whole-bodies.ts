// Whether a stored text is what it was, and putting right what is not.
import { bodyHash } from './body-hash.ts';
import type { Mirror } from './database.ts';
import { doubtSearch } from './search.ts';

/** True when a text is what was stored under this hash. */
export function isWhole({ hash, data }: { hash: Buffer; data: string }): boolean {
  return bodyHash(data).equals(hash);
}

/** Has a plain body be what its hash says, by a text with that hash; writes nothing where it is. */
export function putRight(mirror: Mirror, bid: number, text: string): void {
  const { changes } = mirror.store
    .prepare('update bodies set data = ? where bid = ? and data <> ?')
    .run(text, bid, text);
  if (changes > 0) doubtSearch(mirror);
}
