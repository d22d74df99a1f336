// What of a page an import alone sets: layout and cover of a document, and where a link leads.
import { canonicalJson, isRecord } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { leadingOf } from '../links/link-pages.ts';
import { textAt, type Body } from '../resource.ts';

const LOOKS = ['layout', 'cover', 'href'] as const;
type Look = (typeof LOOKS)[number];

export function isLook(field: string): field is Look {
  return (LOOKS as readonly string[]).includes(field);
}

const NAMED = ['page', 'space', 'collection', 'file'] as const satisfies readonly KindName[];

/** The fields of a page that hold them, with references to what was made anew. */
export function looksOf(body: Body, ids: Pick<IdMap, 'byId'>): Body {
  const renewed = (reference: unknown): unknown => {
    if (!isRecord(reference)) return reference;
    const anew = NAMED.flatMap((kind) => {
      const now = ids.byId(kind, textAt(reference, kind) ?? '');
      return now === undefined ? [] : [[kind, now] as const];
    });
    return { ...reference, ...Object.fromEntries(anew) };
  };
  const { layout, cover, href, target } = body;
  return {
    layout,
    cover: isRecord(cover) ? { ...cover, ref: renewed(cover['ref']) } : cover,
    href,
    target: renewed(target),
  };
}

/** Which of them differ between two pages of one type. */
export function differingLooks(type: string, [one, other]: readonly [Body, Body]): Look[] {
  return LOOKS.filter((look) => {
    if ((look === 'href') !== (type === 'link')) return false;
    return canonicalJson(lookIn(one, look)) !== canonicalJson(lookIn(other, look));
  });
}

/** A link leads to an address or, where it has none, to what it refers to. */
export function lookIn(body: Body, look: Look): unknown {
  if (look !== 'href') return body[look] ?? null;
  const { href, target } = leadingOf(body);
  return href ?? target ?? null;
}
