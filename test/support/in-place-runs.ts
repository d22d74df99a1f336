// Mends in place of whatever somebody did to an organization, and what must hold of each of them.
import fc from 'fast-check';
import { expect } from 'vitest';
import { readerAt } from '../../src/mirror/index.ts';
import { type ApplyResult, type Choices, type Plan } from '../../src/restore/index.ts';
import { planTree } from './plan-tree.ts';
import type { PageMend } from '../../src/restore/types.ts';
import { building, damaging, organizationOf, perform, type Edit } from './edits.ts';
import { inPlace, type InPlace } from './in-place.ts';
import { pagesAt, withoutTargets, wordsOf, type StandingPage } from './standing.ts';
import { TestWorld } from './world.ts';

export interface Run {
  readonly made: readonly Edit[];
  readonly done: readonly Edit[];
  readonly choices: Choices;
  readonly scope: 'whole' | 'space' | 'page';
  readonly which: number;
  readonly cut: 'none' | 'lost' | 'killed';
}

const ALL: Choices = { missing: true, changed: true, added: true };
export const anyRun: fc.Arbitrary<Run> = fc.record({
  made: building,
  done: damaging,
  choices: fc.constantFrom(
    ALL,
    ALL,
    { ...ALL, added: false },
    { ...ALL, changed: false },
    { missing: true, changed: false, added: false },
    { missing: false, changed: true, added: false },
    { missing: false, changed: false, added: true },
  ),
  scope: fc.constantFrom('whole', 'whole', 'whole', 'space', 'page'),
  which: fc.nat({ max: 40 }),
  cut: fc.constantFrom('none', 'none', 'none', 'lost', 'killed'),
});

interface Seen extends Damaged {
  /** Number of the snapshot of what stands after it. */
  readonly now: number;
  readonly wanted: Pages;
  readonly live: Pages;
  readonly after: Pages;
}

type Pages = ReadonlyMap<string, StandingPage>;

const SNAPSHOT = 1;

/** What somebody did, and the plan that mends it. */
export interface Damaged {
  readonly world: TestWorld;
  readonly place: InPlace;
  readonly run: Run;
  readonly plan: Plan;
  /** Snapshot of everything as it stood then; a plan of one space has read no more than that. */
  readonly stood: number;
}

/** Null where nothing is to be mended. */
export async function damaged(world: TestWorld, run: Run): Promise<Damaged | null> {
  const edited = await organizationOf(world, run.made);
  await world.sync();
  const place = inPlace(world);
  world.clock.advance(60_000);
  for (const edit of run.done) await perform(edited, edit);
  world.clock.advance(60_000);
  const plan = await place.plan({ ...run.choices, ...scopeOf(world, run) });
  if (plan.steps.every(({ part }) => part === 'none')) return null;
  return { world, place, run, plan, stood: (await world.sync()).snapshot.id };
}

export async function check(one: Run, tell: (what: unknown) => void = () => {}): Promise<void> {
  await using world = await TestWorld.create();
  const ruined = await damaged(world, one);
  if (ruined === null) return;
  const { place, plan, stood } = ruined;
  tell([wordsOf(world.mirror, SNAPSHOT), wordsOf(world.mirror, stood), planTree(plan)]);
  // What cannot end well, such as a collection to go that holds what stays, cannot be endured either.
  const isCut = one.cut !== 'none' && isWhole(one);
  const { restore, failures } = isCut ? await endured(place, plan, one.cut) : await place.apply(plan);
  const seen = await isAsPlanned(ruined, { restore, failures });
  tell(wordsOf(world.mirror, seen.now));
  if (heldIn(failures).size === 0) await canBeTakenBack(seen, restore);
}

/** What a restore that has come to its end must have made of a platform. */
export async function isAsPlanned(
  ruined: Damaged,
  { restore, failures }: Pick<ApplyResult, 'restore' | 'failures'>,
): Promise<Seen> {
  const { world, place, plan, run } = ruined;
  const now = (await world.sync()).snapshot.id;
  const seen: Seen = {
    ...ruined,
    now,
    wanted: pagesAt(world.mirror, SNAPSHOT),
    live: pagesAt(world.mirror, ruined.stood),
    after: pagesAt(world.mirror, now),
  };
  keepsWhatStands(seen);
  keepsElsewhere(seen);
  const held = heldIn(failures);
  if (held.size > 0) {
    leavesAlone(seen, held);
    return seen;
  }
  doesWhatItSays(seen);
  // What was edited in a space before it was deleted is seen once it is out of the bin.
  const isWhatItWas = plan.steps.every(({ part }) => part !== 'undelete');
  if (failures.length === 0 && isWhatItWas) await isVerified(place, restore);
  if (isWhole(run)) await isAsItWas(seen, now);
  return seen;
}

/** Spaces of which nothing was written, since it would have been over a link. */
export function heldIn(failures: ApplyResult['failures']): Set<string> {
  return new Set(failures.filter(({ error }) => error.includes('would be written over')).map(({ key }) => key));
}

async function endured(place: InPlace, plan: Plan, cut: Exclude<Run['cut'], 'none'>): Promise<ApplyResult> {
  return (await place.endure(plan, cut)).result;
}

/** Whatever was asked for, and whatever the plan says cannot be: what it wrote is as it said. */
async function isVerified(place: InPlace, restore: string): Promise<void> {
  const report = await place.verify(restore);
  expect([report.passed, report.differences.filter((one) => one.class === 'exact')], 'verify').toEqual([true, []]);
}

function scopeOf({ mirror }: TestWorld, { scope, which }: Run): { scope?: string } {
  if (scope === 'whole') return {};
  const all = [...readerAt(mirror, SNAPSHOT).resources(scope)];
  const one = all[which % all.length];
  return one === undefined ? {} : { scope: `${scope}:${one.id}` };
}

function isWhole({ choices, scope }: Run): boolean {
  return scope === 'whole' && choices.missing && choices.changed && choices.added;
}

/** With everything asked for the content is that of the snapshot, and a second plan finds nothing to write. */
async function isAsItWas({ world, place, plan }: Seen, now: number): Promise<void> {
  // What was edited in a space before it was deleted is seen once it is out of the bin.
  if (plan.steps.some(({ part }) => part === 'undelete')) return;
  // Only an import makes another type of a page, and it is said that nothing makes it what it was.
  if (unsaid(plan).some((line) => line.includes('no operation makes a'))) return;
  expect(
    unsaid(plan).filter((line) => !line.startsWith('file ')),
    'nothing is said to stay away',
  ).toEqual([]);
  const [is, was] = [wordsOf(world.mirror, now), wordsOf(world.mirror, SNAPSHOT)];
  expect(withoutStaying(plan, { is, was }), 'content after the restore').toEqual(was);
  const again = await place.plan(ALL);
  expect(stepsOf(again), 'a second plan').toEqual([]);
}

interface Words {
  readonly is: readonly string[];
  readonly was: readonly string[];
}

/** No operation deletes a file: those that are said to stay are no difference. */
export function withoutStaying(plan: Plan, { is, was }: Words): string[] {
  const staying = unsaid(plan).filter((line) => line.startsWith('file '));
  const extra = is.filter((line) => line.startsWith('file ') && !was.includes(line));
  const isSaid = (line: string): boolean =>
    staying.some((said) => said.startsWith(line.split(' ').slice(0, 2).join(' ')));
  return is.filter((line) => !extra.includes(line) || !isSaid(line));
}

/** What the plan says about content that cannot come back. */
export function unsaid({ steps }: Plan): string[] {
  const idle = steps.filter(({ action, kind }) => action === 'unsupported' && (kind === 'page' || kind === 'file'));
  return idle.map(({ kind, title, note }) => `${kind} ${title}: ${note}`);
}

function stepsOf({ steps }: Plan): string[] {
  const done = steps.filter(({ part }) => part !== 'none');
  return done.map(({ action, part, kind, title, note }) => `${action} ${part} ${kind} ${title}: ${note}`);
}

function mendsOf({ steps }: Plan, which: 'missing' | 'changed' | 'added' | 'links'): PageMend[] {
  return steps.flatMap(({ pages }) => pages?.[which] ?? []);
}

/** What the plan names no page for stays, with its text; new pages are as many as were to come. */
function keepsWhatStands({ plan, live, after, wanted }: Seen): void {
  const going = new Set(mendsOf(plan, 'added').map(({ id }) => id));
  const changed = new Map(mendsOf(plan, 'changed').map((mend) => [mend.id, mend]));
  const removed = new Set(
    plan.steps.filter(({ kind, part }) => kind === 'space' && part === 'remove').map(({ key }) => key),
  );
  for (const page of live.values()) {
    const now = after.get(page.id);
    if (going.has(page.id) || removed.has(page.space)) continue;
    const told = `page ${page.title} (${page.id})`;
    expect(now, `${told} stands`).toBeDefined();
    const mend = changed.get(page.id);
    if (mend?.of !== undefined) continue;
    const why = mend?.why ?? [];
    const kept = (one: StandingPage | undefined) => ({
      ...(why.includes('text') ? {} : { text: headless(withoutTargets(one?.text ?? ''), why) }),
      ...(why.includes('title') ? {} : { title: one?.title }),
      ...(why.includes('slug') ? {} : { slug: one?.slug }),
      ...(why.includes('parent') ? {} : { parent: one?.parent }),
      ...(why.includes('hidden') ? {} : { hidden: one?.hidden }),
    });
    expect(kept(now), `${told} as it was`).toEqual(kept(page));
    if (!wanted.has(page.id)) expect(mend, `${told}, made since, is not written`).toBeUndefined();
  }
}

/** Where a link has an address that no answer tells, and a page comes back to it, nothing of the space is written. */
export function leavesAlone({ live, after }: Pick<Seen, 'live' | 'after'>, spaces: ReadonlySet<string>): void {
  for (const page of live.values()) if (spaces.has(page.space)) expect(after.get(page.id)).toEqual(page);
}

/** The platform makes the first heading of the title. */
function headless(text: string, why: readonly string[]): string {
  return why.includes('title') ? text.replace(/^# .*\n/, '') : text;
}

/** With a scope nothing but what the plan names is another. */
function keepsElsewhere({ world, plan, stood, live, after }: Seen): void {
  const reader = readerAt(world.mirror, stood);
  const written = new Set([...mendsOf(plan, 'changed'), ...mendsOf(plan, 'links')].map(({ id }) => id));
  for (const page of live.values()) {
    const now = after.get(page.id);
    if (!written.has(page.id) && now)
      expect(now.text, `text of ${page.title} in ${String(reader.one('space', page.space)?.body['title'])}`).toBe(
        page.text,
      );
  }
}

/** Every field that is said to be set back is, and each page comes back once. */
function doesWhatItSays({ plan, wanted, live, after }: Seen): void {
  for (const { id, of = id, why, title, fields = [] } of mendsOf(plan, 'changed')) {
    const [is, was] = [after.get(id), wanted.get(of)];
    const told = `page ${title} (${id}), ${why.join(', ')}`;
    expect(is, told).toBeDefined();
    if (of !== id || why.includes('text'))
      expect(withoutTargets(is?.text ?? ''), told).toBe(withoutTargets(was?.text ?? ''));
    for (const field of ['title', 'slug', 'hidden'] as const) {
      // What became of a link had no address, and another page may have that of a page: it gets the one that the plan says.
      const said = fields.find((one) => one.field === field && field === 'slug');
      const to = said ? said.to : was?.[field];
      if (of !== id || why.includes(field)) expect(is?.[field], `${told}: ${field}`).toBe(to);
    }
  }
  const made = [...after.values()].filter(
    ({ id, space }) => !live.has(id) && [...live.values()].some((one) => one.space === space),
  );
  const standing = new Set([...live.values()].map(({ space }) => space));
  const missing = plan.steps
    .filter(({ key, pages }) => pages && standing.has(key))
    .flatMap(({ pages }) => pages?.missing ?? []);
  expect(made.map(({ title }) => title).toSorted(), 'pages brought back').toEqual(
    missing.map(({ title }) => title).toSorted(),
  );
}

/** The way back ends where the restore began, or leaves alone the spaces in which a link has an address that a page comes back to. */
async function canBeTakenBack({ world, place, plan, stood, after }: Seen, restore: string): Promise<void> {
  const back = await place.undo(restore, plan);
  const isToDo = back.steps.some(({ part }) => part !== 'none');
  const held = heldIn(isToDo ? (await place.apply(back)).failures : []);
  const end = (await world.sync()).snapshot.id;
  if (held.size > 0) return leavesAlone({ live: after, after: pagesAt(world.mirror, end) }, held);
  const [is, was] = [wordsOf(world.mirror, end), wordsOf(world.mirror, stood)];
  expect(withoutStaying(back, { is, was }), `content after the undo: ${unsaid(back).join('; ')}`).toEqual(was);
}
