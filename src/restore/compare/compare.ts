// Comparing a snapshot with what stands on the target after a restore, field by field, through the id map and the ledger.
import { canonicalJson } from '../../base/index.ts';
import { isOptionalSwitch } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { isAmongOthers, isWhereOtherCame } from '../special/change-request-pages.ts';
import { isTrivial, ledgerOf, type LedgerEntry } from '../ledger.ts';
import { RESTORED_KINDS } from '../restored-kinds.ts';
import { asSaid, textAt } from '../resource.ts';
import { pageAbove } from '../special/page-places.ts';
import { currentText } from '../special/spec-text.ts';
import type { BetterThanClaimed, FieldDifference, FieldCount } from '../types.ts';
import { UnknownValues } from '../unknown-values.ts';
import { AsPlanned, type Pair } from './as-planned.ts';
import { untoldAtSource } from './at-source.ts';
import { beyondSnapshot } from './beyond-snapshot.ts';
import { BehindUnread } from './behind-unread.ts';
import { BetterFields } from './better-than-claimed.ts';
import { textWithBroken } from './broken-links.ts';
import { ByAddress } from './by-address.ts';
import { covered } from './covered.ts';
import { findRestored } from './find-restored.ts';
import { givenUpBy, lostDefault, withoutGivenUp } from './given-up.ts';
import { InReview } from './in-review.ts';
import { withoutOthersParts } from './others-parts.ts';
import { isBelowItself, namesWhatIsNotHeld } from './not-held.ts';
import { LinkPagesBack } from './link-pages-back.ts';
import { PathLinks } from './path-links.ts';
import { RenamedFiles } from './renamed-files.ts';
import { leftThere } from './left-there.ts';
import { SiblingPlaces } from './sibling-places.ts';
import type { Sides } from './sides.ts';
import { relinkedThere } from './relinked-there.ts';
import { TitleLines } from './title-lines.ts';
import { untoldByPlan } from './untold-by-plan.ts';
import { foundValues, wantedValues } from './values.ts';

export interface Compared {
  readonly exact: FieldCount;
  readonly bestEffort: FieldCount;
  readonly lost: FieldCount;
  readonly kinds: Record<string, Counts>;
  readonly differences: FieldDifference[];
  readonly betterThanClaimed: readonly BetterThanClaimed[];
  /** Change requests that wait for people, in which content was found. */
  waiting: number;
}

interface Counts {
  resources: number;
  missing: number;
  readonly exact: FieldCount;
}

/** Everything that is counted on the way. */
interface Tally extends Compared {
  /** What came out of the bin is better than anything that is made anew. */
  readonly undeleted: ReadonlySet<string>;
  readonly givenUp: ReadonlySet<string>;
  readonly better: BetterFields;
  readonly review: InReview;
  readonly planned: AsPlanned;
  readonly renamed: RenamedFiles;
  readonly paths: PathLinks;
  readonly titles: TitleLines;
  readonly linkPages: LinkPagesBack;
  readonly addresses: ByAddress;
  readonly places: SiblingPlaces;
  readonly behind: BehindUnread;
  readonly unknown: UnknownValues;
}

const MOST_DIFFERENCES = 1000;
const SHOWN_LENGTH = 200;

/** Compares every resource that the plan brings back. A missing resource counts all its exact fields as unequal. */
export function compareSnapshots(input: Sides): Compared {
  const tally: Tally = {
    exact: { fields: 0, equal: 0 },
    bestEffort: { fields: 0, equal: 0 },
    lost: { fields: 0, equal: 0 },
    kinds: {},
    differences: [],
    betterThanClaimed: [],
    waiting: 0,
    review: new InReview(input.plan, input.restored),
    planned: new AsPlanned(input),
    renamed: new RenamedFiles(input.original),
    paths: new PathLinks(input),
    titles: new TitleLines(input),
    linkPages: new LinkPagesBack(input.original),
    addresses: new ByAddress(input),
    places: new SiblingPlaces(input),
    behind: new BehindUnread(input.original),
    unknown: new UnknownValues(),
    better: new BetterFields(),
    givenUp: givenUpBy(input.plan),
    undeleted: new Set(
      input.plan.steps.flatMap(({ part, kind, key }) => (part === 'undelete' ? [`${kind} ${key}`] : [])),
    ),
  };
  for (const kind of RESTORED_KINDS) {
    const counts = { resources: 0, missing: 0, exact: { fields: 0, equal: 0 } };
    for (const resource of covered(input.plan, input.original, kind))
      compareResource(input, tally, { resource, counts });
    if (counts.resources > 0) tally.kinds[kind] = counts;
  }
  for (const { kind, key, got } of leftThere(input)) {
    count(tally.exact, got === null);
    if (got !== null) addDifference(tally, { kind, key, field: '*', class: 'exact', expected: 'not there', got });
  }
  for (const { key, title } of beyondSnapshot(input)) {
    count(tally.exact, false);
    const difference = { kind: 'page', key, field: '*', class: 'exact' } as const;
    addDifference(tally, { ...difference, expected: 'not there', got: `${title}, which the snapshot does not have` });
  }
  for (const { key, got } of relinkedThere(input, tally.review)) {
    count(tally.exact, got === 'turned');
    if (got !== 'turned') addDifference(tally, { kind: 'page', key, class: 'exact', ...RELINKED[got] });
  }
  const { exact, bestEffort, lost, kinds, differences, better, review } = tally;
  const counted = { exact, bestEffort, lost, kinds, differences };
  return { ...counted, betterThanClaimed: better.found(), waiting: review.waiting.size };
}

const RELINKED = {
  old: { field: 'links', expected: 'links to what was made anew', got: 'links to what it stands for' },
  missing: { field: '*', expected: 'there', got: 'missing' },
} as const;

function compareResource(
  input: Sides,
  tally: Tally,
  { resource: held, counts }: { resource: Resource; counts: Counts },
): void {
  const { ids, restored: target } = input;
  const resource = tally.addresses.wanted(held);
  const { kind, key } = resource;
  counts.resources += 1;
  const there = tally.review.find(ids, resource) ?? findRestored(ids, target, resource);
  const isOld = input.keepsUnread && there !== undefined && input.isUnread(there.kind, there.key);
  const found = isOld ? undefined : there;
  const restored = found && tally.addresses.got(found);
  if (!restored) {
    counts.missing += 1;
    const got = isOld ? 'not read' : tally.review.whyMissing(ids, resource);
    addDifference(tally, { kind, key, field: '*', class: 'exact', expected: 'restored', got });
  }
  const place = restored && tally.places.of(resource, restored);
  const { wanted, got } = withoutOthersParts(input, resource, {
    wanted: { ...withoutGivenUp(kind, wantedValues(resource, ids), tally.givenUp), ...place?.wanted },
    got: restored ? { ...foundValues(restored), ...place?.got } : {},
  });
  const pair = restored && { resource, restored, wanted, got };
  const untold = untoldFields(input, tally, { resource, pair });
  for (const field of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const equal = pair !== undefined && isSame(input, tally, { field, pair });
    const isUntold =
      untold.includes(field) ||
      (!equal && namesWhatIsNotHeld(input.original, resource, field)) ||
      (!equal && field === 'position' && tally.behind.has(resource)) ||
      (!equal && field === 'parent' && isBelowItself(input.original, resource)) ||
      (!equal && field === 'path' && pair !== undefined && isElsewhere(input, pair)) ||
      (!equal && (field === 'slug' || field === 'path') && isWhereOtherCame(input.original, resource));
    const is = countField({ tally, counts }, { resource, field, wanted: wanted[field], equal, isUntold });
    if (equal || is === 'lost' || !restored) continue;
    const shown = { expected: show(wanted[field]), got: show(got[field]) };
    addDifference(tally, { kind, key, field, class: is, ...shown });
  }
}

/** Fields of which what the snapshot has depends on what it does not hold, on what cannot come back, or on who knows it. */
function untoldFields(
  input: Sides,
  tally: Tally,
  { resource, pair }: { readonly resource: Resource; readonly pair: Pair | undefined },
): string[] {
  const { plan, original } = input;
  return [
    ...(isAmongOthers(original, resource) ? ['position'] : []),
    ...(lostDefault(original, resource, tally.givenUp) ? ['default'] : []),
    ...untoldByPlan(plan, resource),
    ...untoldAtSource(resource),
    ...tally.unknown.fieldsOf(resource),
    ...(pair ? tally.planned.untold(pair) : []),
    ...tally.linkPages.untold(resource),
    ...(tally.renamed.has(resource) ? ['name'] : []),
    ...(pair && standsAsText(input, pair) ? ['sourceURL'] : []),
  ];
}

function isSame(input: Sides, tally: Tally, { field, pair }: { readonly field: string; readonly pair: Pair }): boolean {
  return (
    isSaidAlike(field, pair) ||
    (field === 'position' && tally.planned.isInPlace(pair)) ||
    (field === 'markdown' && isSameText(input, tally, tally.titles.below(pair)))
  );
}

/** True where all that differs are links that lead to the same place, or nowhere, either way. */
function isSameText(input: Sides, { paths }: Tally, { resource, wanted, got }: Pair): boolean {
  const { markdown: text } = got;
  if (typeof text !== 'string') return text === (wanted['markdown'] ?? null);
  if (paths.areSame(resource, wanted['markdown'], text)) return true;
  const left = textWithBroken(input, resource, text);
  return left === text || paths.areSame(resource, left, text);
}

interface FieldFound {
  readonly resource: Resource;
  readonly field: string;
  readonly wanted: unknown;
  readonly equal: boolean;
  readonly isUntold: boolean;
}

/** As what the field counts: as the ledger claims, or as less where the snapshot could not tell. */
function countField(
  { tally, counts }: { readonly tally: Tally; readonly counts: Counts },
  { resource: { kind, key }, field, wanted, equal, isUntold }: FieldFound,
): LedgerEntry['class'] {
  const entry = ledgerOf(kind, field);
  const is = entry.class === 'exact' && isUntold ? 'bestEffort' : entry.class;
  count(tally[is], equal);
  if (is === 'exact') count(counts.exact, equal);
  else if (entry.class !== 'exact' && !tally.undeleted.has(`${kind} ${key}`))
    tally.better.note(entry, { equal, trivial: isTrivial(wanted) });
  return is;
}

/** The address of a page is that of the page above and its own name: where one of them is another, the difference is told there, or not meant. */
function isElsewhere({ original, restored, ids }: Sides, pair: Pair): boolean {
  if (pair.resource.kind !== 'page') return false;
  if (!(isSaidAlike('parent', pair) && isSaidAlike('slug', pair))) return true;
  const above = pageAbove(original, pair.resource);
  const now = above && findRestored(ids, restored, above);
  return now !== undefined && now.body['path'] !== above?.body['path'];
}

/** A specification whose address could not be read there: its text went in instead. */
function standsAsText({ original, restored: target }: Sides, { resource, restored }: Pair): boolean {
  if (resource.kind !== 'openapi-spec' || textAt(restored.body, 'sourceURL') !== undefined) return false;
  const text = currentText(target, restored);
  return text !== null && text === currentText(original, resource);
}

function isSaidAlike(field: string, { resource, wanted, got }: Pick<Pair, 'resource' | 'wanted' | 'got'>): boolean {
  // One platform shows every switch, another only those that are on, and a new one may be off or not there.
  const off = isOptionalSwitch(resource.kind, field) ? false : undefined;
  const said = (value: unknown): string => canonicalJson(asSaid(value ?? off));
  return said(wanted[field]) === said(got[field]);
}

function count(counts: FieldCount, equal: boolean): void {
  counts.fields += 1;
  if (equal) counts.equal += 1;
}

function addDifference(compared: Compared, difference: FieldDifference): void {
  if (compared.differences.length < MOST_DIFFERENCES) compared.differences.push(difference);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)` : text;
}
