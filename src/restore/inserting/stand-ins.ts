// Pages of which an operation that inserts pages makes documents alone: a group comes back as an empty page, a link as a page with the link.
import { canonicalJson, count, few, isRecord } from '../../base/index.ts';
import type { Page } from '../../contract/index.ts';
import { linkDestination, referenceOf } from '../../export/index.ts';
import { writtenById } from '../links/address-links.ts';
import { leadingOf } from '../links/link-pages.ts';
import { looksOf } from '../special/looks.ts';
import { titleIn } from '../special/page-fields.ts';
import { pagesById } from '../special/page-places.ts';
import type { Body } from '../resource.ts';
import type { ApplyContext, PlanStep } from '../types.ts';
import type { WantedPage } from './page-insertion.ts';
import { lackedImport } from './was-inserted.ts';

/** The text of what stands for a group or a link, with links by the ids of the snapshot. */
export function standInText(body: Body, addresses: ApplyContext['addresses']): string {
  if (body['type'] !== 'link') return '';
  const leading = leadingOf(body);
  const referred = referenceOf(leading, addresses);
  const destination =
    referred === null ? (leading.href === null ? null : linkDestination(leading.href)) : writtenById(referred);
  return destination === null ? '' : `[${titleIn(body).replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${destination})\n`;
}

/** What such an operation takes of no page. */
const NOT_INSERTED = ['cover', 'layout'] as const;
const MOST_NAMED = 5;

type Inserted = Pick<WantedPage, 'kind' | 'key' | 'body'>;

/** Pages that were inserted, and all that stands there now. */
interface Insertion {
  readonly pages: readonly Inserted[];
  readonly made: readonly Page[];
}

/** What pages that were inserted lack of what they show there, in words: a platform may show on each page what it gives to all. */
export function lacksOf(context: ApplyContext, step: PlanStep, { pages, made }: Insertion): string[] {
  const there = pagesById(made);
  const isLacking = ({ kind, key, body }: Inserted, field: (typeof NOT_INSERTED)[number]): boolean => {
    const shown = there.get(context.ids.get(kind, key) ?? '')?.[field];
    return isRecord(body[field]) && canonicalJson(looksOf(body, context.ids)[field]) !== canonicalJson(shown ?? null);
  };
  const standing = ['group', 'link'].flatMap((type) =>
    said(
      pages.filter(({ body }) => body['type'] === type),
      (number) => `${count(number, type)} came back as ${number === 1 ? 'a document' : 'documents'}`,
    ),
  );
  const without = NOT_INSERTED.flatMap((field) =>
    said(
      pages.filter((page) => isLacking(page, field)),
      (number) => `no ${field} on ${count(number, 'page')}`,
    ),
  );
  const all = [...standing, ...without];
  return all.length === 0 ? [] : [`${lackedImport(context, step)}, and takes documents alone: ${all.join(', ')}`];
}

function said(pages: readonly Inserted[], what: (number: number) => string): string[] {
  if (pages.length === 0) return [];
  const names = pages.map(({ body }) => titleIn(body));
  return [`${what(pages.length)} (${few(names, MOST_NAMED)})`];
}
