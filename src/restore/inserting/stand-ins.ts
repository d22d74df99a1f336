// Pages of which an operation that inserts pages makes documents alone: a group comes back as an empty page, a link as a page with the link.
import { count, few, isRecord } from '../../base/index.ts';
import { linkDestination, referenceOf } from '../../export/index.ts';
import { writtenById } from '../links/address-links.ts';
import { leadingOf } from '../links/link-pages.ts';
import { titleIn } from '../special/lost-titles.ts';
import type { Body } from '../resource.ts';
import type { ApplyContext } from '../types.ts';

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

interface Titled {
  readonly body: Body;
}

/** What pages that were inserted lack, in words. */
export function lacksOf(pages: readonly Titled[]): string[] {
  const standing = ['group', 'link'].flatMap((type) =>
    said(
      pages.filter(({ body }) => body['type'] === type),
      (number) => `${count(number, type)} came back as ${number === 1 ? 'a document' : 'documents'}`,
    ),
  );
  const without = NOT_INSERTED.flatMap((field) =>
    said(
      pages.filter(({ body }) => isRecord(body[field])),
      (number) => `no ${field} on ${count(number, 'page')}`,
    ),
  );
  const all = [...standing, ...without];
  return all.length === 0 ? [] : [`the target has no import, and takes documents alone: ${all.join(', ')}`];
}

function said(pages: readonly Titled[], what: (number: number) => string): string[] {
  if (pages.length === 0) return [];
  const names = pages.map(({ body }) => titleIn(body));
  return [`${what(pages.length)} (${few(names, MOST_NAMED)})`];
}
