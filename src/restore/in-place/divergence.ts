// What differs between a snapshot and the live state, object by object, within what was asked for.
import { canonicalJson } from '../../base/index.ts';
import { isReply, parentKind, type KindName } from '../../contract/index.ts';
import {
  diffSnapshots,
  untoldIn,
  type IsUntold,
  type UntoldOptions,
  type Mirror,
  type Resource,
  type SnapshotReader,
  isTextUnread,
} from '../../mirror/index.ts';
import { isRestored } from '../restored-kinds.ts';
import type { Heirs } from './heirs.ts';
import { keyAbove } from '../resource.ts';
import { holdsNothing } from '../special/page-fields.ts';
import { SiblingOrders, treeOf, type PageTree } from './sibling-orders.ts';

/** An object that stands on both sides and differs. */
export interface Changed {
  readonly wanted: Resource;
  readonly live: Resource;
}

/** Which objects are meant: those asked for, and what they need. */
interface Meant {
  /** True for what was asked for. */
  readonly asked: (resource: Resource) => boolean;
  /** True for what it needs besides: brought back when it is missing, else left as it is. */
  readonly needed: (resource: Resource) => boolean;
  /** It is known of each of them what has become of it: an undo knows what its restore has made. */
  readonly isKnown: boolean;
}

export interface Divergence {
  readonly missing: readonly Resource[];
  readonly changed: readonly Changed[];
  /** Not in the snapshot; only the topmost of what is nested. */
  readonly added: readonly Resource[];
  /** What seems to be missing, or added, where one of the two sides says nothing: it is left as it is. */
  readonly untold: readonly Resource[];
  /** In the snapshot, and not missing, since something else stands for it. */
  readonly standIns: readonly Resource[];
  /** Which pages must move, of those that are meant where others could instead. */
  readonly orders: SiblingOrders;
}

interface Sides {
  readonly mirror: Mirror;
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
  readonly heirs: Heirs;
}

/** Costs what changed between the two, whatever their size. */
export function diverge({ mirror, wanted, live, heirs }: Sides, { asked, needed, isKnown }: Meant): Divergence {
  const missing: Resource[] = [];
  const changed: Changed[] = [];
  const added: Resource[] = [];
  const untold: Resource[] = [];
  const standIns: Resource[] = [];
  const untoldAt = ({ snapshot }: SnapshotReader, options: UntoldOptions): IsUntold =>
    isKnown ? () => false : untoldIn(mirror, snapshot, options);
  const isUntoldThen = untoldAt(wanted, { isNew: true });
  const isUntoldNow = untoldAt(live, { isNew: false });
  for (const { kind, key } of diffSnapshots(mirror, [wanted.snapshot, live.snapshot])) {
    if (!isMended(kind)) continue;
    const [before, after] = [wanted.one(kind, key), live.one(kind, key)];
    if (before && after) {
      if (asked(before) && !isEqual(before, after)) changed.push({ wanted: before, live: after });
    } else if (before) {
      const isMeant = asked(before) || needed(before);
      if (!isMeant || !(isHeld(live, before) || isLackedByHeir({ wanted, heirs }, before))) continue;
      if (heirs.of(before) !== undefined) standIns.push(before);
      else if (isUntoldNow(kind, key)) untold.push(before);
      else missing.push(before);
    } else if (after && asked(after) && isHeld(wanted, after) && !isHeir(heirs, after)) {
      if (isUntoldThen(kind, key)) untold.push(after);
      else added.push(after);
    }
  }
  const orders = new SiblingOrders({ wanted, live, mayMove: asked });
  const turned = turnedRound({ wanted, live, orders }, changed).filter(({ wanted: page }) => asked(page));
  return { missing, changed: [...changed, ...turned], added, untold, standIns, orders };
}

/** Pages that have the place of before by its number, and must move all the same for their siblings to stand as they stood. */
function turnedRound(
  { wanted, live, orders }: Pick<Sides, 'wanted' | 'live'> & Pick<Divergence, 'orders'>,
  changed: readonly Changed[],
): Changed[] {
  const pages = changed.filter((one) => treeOf(one.wanted) !== null);
  const known = new Set(pages.map(({ wanted: { kind, key } }) => `${kind} ${key}`));
  return treesOf(pages).flatMap((tree) =>
    [...orders.movedIn(tree)].flatMap((id) => {
      const [kind, key] = [tree.kind, `${tree.holder}/${id}`];
      const [was, is] = known.has(`${kind} ${key}`) ? [] : [wanted.one(kind, key), live.one(kind, key)];
      return was && is ? [{ wanted: was, live: is }] : [];
    }),
  );
}

/** Each once. */
function treesOf(pages: readonly Changed[]): PageTree[] {
  const trees = pages.flatMap(({ wanted }) => treeOf(wanted) ?? []);
  return [...new Map(trees.map((tree) => [`${tree.kind} ${tree.holder}`, tree])).values()];
}

/** True for a part of a site that was made anew without it, as where the space that it shows did not come back then. */
function isLackedByHeir({ wanted, heirs }: Pick<Sides, 'wanted' | 'heirs'>, part: Resource): boolean {
  const [kind, key] = HOLDERS['siteId']?.(part.params) ?? [];
  const site =
    kind === undefined || part.kind === kind || part.params['siteId'] === undefined
      ? undefined
      : wanted.one(kind, key ?? '');
  return site !== undefined && heirs.of(site) !== undefined && !heirs.wasMade(part);
}

/** In a change request, a page that came into its space again may stand as well. */
function isHeir(heirs: Heirs, one: Resource): boolean {
  return heirs.isHeir(one) || (one.kind === 'change-request-page' && heirs.isHeir({ ...one, kind: 'page' }));
}

/** True for what was gone for a while, or was changed and changed back. */
function isEqual(before: Resource, after: Resource): boolean {
  const [was, is] = [before, after].map(({ body, object, parent, position }) => [body, object, parent, position]);
  const isSameText = before.text === after.text || isTextUnread(before) || [before, after].every(holdsNothing);
  return isSameText && canonicalJson(was) === canonicalJson(is);
}

/** Kinds that are looked at one by one; what the platform derives, or what comes as a part of another, is not. */
function isMended(kind: KindName): boolean {
  return isRestored(kind) && kind !== 'revision' && kind !== 'change-request-revision';
}

/** Kinds whose changes are gathered by what holds them. */
const GATHERED: ReadonlySet<KindName> = new Set<KindName>([
  'page',
  'file',
  'custom-field-value',
  'team-membership',
  'change-request-page',
  'change-request-file',
]);

export function isGathered(kind: KindName): boolean {
  return GATHERED.has(kind);
}

/** Holders by the parameter that names them in the keys of what they hold. */
const HOLDERS: Readonly<Record<string, (params: Readonly<Record<string, string>>) => [KindName, string]>> = {
  spaceId: ({ spaceId = '' }) => ['space', spaceId],
  changeRequestId: ({ spaceId = '', changeRequestId = '' }) => ['change-request', `${spaceId}/${changeRequestId}`],
  siteId: ({ organizationId = '', siteId = '' }) => ['site', `${organizationId}/${siteId}`],
};

/** False when what holds it is not on that side either: then it comes or goes with that. */
function isHeld(side: SnapshotReader, { kind, key, params }: Resource): boolean {
  for (const name of Object.keys(params)) {
    const holder = HOLDERS[name]?.(params);
    if (holder && holder[0] !== kind && !side.one(...holder)) return false;
  }
  const parent = parentKind(kind);
  return parent === null || !isReply(kind) || side.one(parent, keyAbove(key)) !== undefined;
}
