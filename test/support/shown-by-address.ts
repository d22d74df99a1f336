// A platform whose texts show files by the addresses that their bytes are read from, as the embedded one shows them by id.
import { isRecord } from '../../src/base/index.ts';
import type { Rewrite } from './rewriting.ts';

/** @param signed Gives each showing a signature of its own. */
export function shownByAddress({ signed = false } = {}): Rewrite {
  const addresses = new Map<string, string>();
  let showings = 0;
  const shown = (text: string): string =>
    text.replaceAll(/\/files\/([\w-]+)/g, (written, id: string) => {
      const address = addresses.get(id)?.replace(/\?.*/, '');
      if (address === undefined) return written;
      return signed ? `${address}?signature=${(showings += 1)}` : address;
    });
  const change = (field: string, value: unknown): unknown => {
    if (isRecord(value) && typeof value['id'] === 'string' && typeof value['downloadURL'] === 'string')
      addresses.set(value['id'], value['downloadURL']);
    return field === 'markdown' && typeof value === 'string' ? shown(value) : value;
  };
  return (_asked, { status, body }) =>
    isRecord(body) ? { status, body: JSON.parse(JSON.stringify(body), change) as unknown } : undefined;
}
