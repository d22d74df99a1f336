// Addresses in the attributes of an HTML tag.

interface Found {
  /** Offset in the tag. */
  readonly start: number;
  readonly raw: string;
}

const ATTRIBUTE = `\\s+[A-Za-z_:][\\w.:-]*(?:\\s*=\\s*(?:[^"'=<>\`\\s]+|'[^']*'|"[^"]*"))?`;
/** A whole tag that opens something; sticky. */
export const OPEN_TAG = new RegExp(`<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\\s*/?>`, 'y');
const ONE_ATTRIBUTE = new RegExp(ATTRIBUTE, 'g');
const LINK_ATTRIBUTE = /^(\s+(href|src|poster|data|srcset|imagesrcset)\s*=\s*["']?)([^"']*)/i;
const OBJECT = /^<object\s/i;

/** Addresses that a tag names, in order: `href`, `src`, `poster`, each of a `srcset`, and `data` of an object. */
export function addressesOfTag(tag: string): Found[] {
  return [...tag.matchAll(ONE_ATTRIBUTE)].flatMap((attribute) => {
    const [, before = '', name = '', value = ''] = LINK_ATTRIBUTE.exec(attribute[0]) ?? [];
    const start = attribute.index + before.length;
    if (value === '' || (/^data$/i.test(name) && !OBJECT.test(tag))) return [];
    if (!/srcset$/i.test(name)) return [{ start, raw: value }];
    return candidates(value).map(({ start: at, raw }) => ({ start: start + at, raw }));
  });
}

/** `a.png 1x, b.png 2x`: an address ends at a space or at a comma before one; a comma inside is part of it. */
function candidates(value: string): Found[] {
  const found: Found[] = [];
  const address = /[^\s,]\S*/g;
  for (let match = address.exec(value); match !== null; match = address.exec(value)) {
    let end = match[0].length;
    while (match[0][end - 1] === ',') end -= 1;
    found.push({ start: match.index, raw: match[0].slice(0, end) });
    if (end < match[0].length) continue;
    // What follows, up to the next comma, says for which screen it is.
    const comma = value.indexOf(',', address.lastIndex);
    if (comma === -1) break;
    address.lastIndex = comma + 1;
  }
  return found;
}
