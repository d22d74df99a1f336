// Links inside stored text name what they lead to by id: `/pages/<id>`, `/files/<id>`, `/reusable-contents/<id>`, and the same below
// `/spaces/<id>`.
import { rewriteLinks } from '../base/index.ts';

type StableKind = 'pages' | 'files' | 'reusable-contents';

export interface StableLink {
  kind: StableKind;
  id: string;
  /** Only on a link into another space. */
  space?: string;
}

const STABLE = /^(?:\/spaces\/([A-Za-z0-9]+))?\/(pages|files|reusable-contents)\/([A-Za-z0-9]+)(?=$|[#?])/;

// What stands in every text with such a link, which may be written with escapes or entities.
const TRACE = /\/(?:pages|files|reusable-contents)\/|&(?:#|sol;)|\\\//;

/** A link's target taken apart: what it leads to, and what follows (`#anchor`); undefined for every other target. */
export function readStableLink(target: string): { link: StableLink; rest: string } | undefined {
  const found = STABLE.exec(target);
  if (!found) return undefined;
  const [whole, space, kind, id = ''] = found;
  const link: StableLink = { kind: kind as StableKind, id };
  return { link: space === undefined ? link : { ...link, space }, rest: target.slice(whole.length) };
}

/** The text with every stable link replaced by what `map` makes of it; text inside code is no link. */
export function mapLinks(markdown: string, map: (link: StableLink) => StableLink): string {
  if (!TRACE.test(markdown)) return markdown;
  return rewriteLinks(markdown, (target) => mapLink(target, map));
}

/** The target with what `map` makes of it, where it is a stable link; undefined for every other. */
export function mapLink(target: string, map: (link: StableLink) => StableLink): string | undefined {
  const found = readStableLink(target);
  return found && writeLink(map(found.link)) + found.rest;
}

function writeLink(link: StableLink): string {
  return `${link.space === undefined ? '' : `/spaces/${link.space}`}/${link.kind}/${link.id}`;
}
