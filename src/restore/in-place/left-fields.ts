// Fields of pages that stand, and differ, and are not set back all the same.
import { textAt } from '../resource.ts';
import type { Changed } from './divergence.ts';
import type { GonePages } from './gone-pages.ts';
import { takenBy, type HeldAddress } from './held-addresses.ts';
import type { pageOrders } from './left-orders.ts';
import { keepsLead } from './releads.ts';

interface Left {
  readonly gone: GonePages;
  readonly orderLeft: ReturnType<typeof pageOrders>;
}

/** Fields of a page that are not set back, and why; null for an address that it gets another one instead of. */
export function fieldsLeft(
  one: Changed,
  differing: readonly string[],
  { gone, orderLeft }: Left,
): Map<string, string | null> {
  const left = new Map<string, string | null>();
  const { wanted, live } = one;
  const twin = differing.includes('href') ? gone.atItsAddress({ ...live, body: wanted.body }) : undefined;
  if (twin !== undefined) left.set('href', keepsLead(twin));
  const order = differing.includes('order') ? orderLeft(live) : undefined;
  if (order !== undefined) left.set('order', order);
  const stays = differing.some((field) => PLACE.includes(field)) ? gone.whyStays(one) : null;
  if (stays !== null) for (const field of PLACE) left.set(field, stays);
  const held = gone.addresses.of(wanted);
  if (held !== undefined) left.set('slug', held.instead === null ? keepsAddress(one, held) : null);
  return left;
}

const PLACE = ['parent', 'order'];

function keepsAddress({ wanted, live }: Changed, held: HeldAddress): string {
  const [was, is] = [wanted, live].map(({ body }) => textAt(body, 'slug') ?? '');
  return `keeps the address ${is}: ${takenBy(held)}, ${was}, and stays`;
}
