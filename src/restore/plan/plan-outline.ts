// A plan as people read it: what comes back in its place, one line an object with all of its parts; what stands and is changed, write by
// write; and what does not come back, by reason.
import { count, depthFirst, few, groupBy } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import { isMissed, SIGNS, stepLines } from './step-lines.ts';
import { holderOfStep } from './plan-holder.ts';
import type { Plan, PlanStep } from '../types.ts';

/** A space, a collection, a site, or the organization, with the steps of all that stands in it. */
interface Holder {
  readonly kind: KindName;
  readonly key: string;
  /** As it stands; undefined where the plan tells none. */
  readonly title: string | undefined;
  readonly steps: PlanStep[];
}

const SHOWN_NAMES = 6;

/** Lines for people; what is nested is indented. The writes come first; an empty line is before each list of what is not written. */
export function planOutline(plan: Plan): string[] {
  const written = plan.steps.filter(({ part }) => part !== 'none');
  const holders = holdersOf(plan, written);
  const organization = holders.filter(({ kind }) => kind === 'organization').flatMap(({ steps }) => steps);
  const parents = parentsOf(written);
  const others = holders.filter(({ kind }) => kind !== 'organization');
  const roots = others.filter((holder) => !parents.has(nameOf(holder)));
  return [
    ...organizationLines(organization),
    ...treeLines(roots, { others, parents }),
    ...without(written),
    ...idleLines(
      plan.steps.filter(({ action }) => action === 'noOp'),
      'Stays as it is:',
    ),
    ...leftOutLines(plan),
  ];
}

/** The same step by step, for a plan of few kinds of which each line is to be read. */
export function planLines({ steps }: Plan): string[] {
  const idle = steps.filter(({ part }) => part === 'none').flatMap(stepLines);
  return [...steps.filter(({ part }) => part !== 'none').flatMap(stepLines), ...(idle.length > 0 ? ['', ...idle] : [])];
}

/** What the plan does not do, by reason; nothing where it does all. */
export function leftOutLines({ steps, undoes }: Plan): string[] {
  return idleLines(
    steps.filter(({ action }) => action === 'unsupported'),
    undoes === null ? 'Cannot come back:' : 'Is not taken back:',
  );
}

function nameOf({ kind, key }: Pick<Holder, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

function holdersOf({ organization, holders: titles = {} }: Plan, steps: readonly PlanStep[]): Holder[] {
  const holders = new Map<string, Holder>();
  for (const step of steps) {
    const { kind, key } = holderOfStep(step, organization);
    const name = nameOf({ kind, key });
    const holder = holders.get(name) ?? { kind, key, title: titles[name], steps: [] };
    holders.set(name, holder);
    holder.steps.push(step);
  }
  return [...holders.values()];
}

/** Which collection the plan makes for what it makes in it; what goes elsewhere stands at the root. */
function parentsOf(steps: readonly PlanStep[]): Map<string, string> {
  const makers = new Map(steps.filter(isMaker).map((step) => [step.step, step]));
  const parents = new Map<string, string>();
  for (const step of steps.filter(isMaker)) {
    if (step.kind !== 'collection' && step.kind !== 'space') continue;
    const above = step.needs.map((need) => makers.get(need)).find((one) => one?.kind === 'collection');
    if (above) parents.set(nameOf(step), nameOf(above));
  }
  return parents;
}

function isMaker({ part }: PlanStep): boolean {
  return part === 'create' || part === 'undelete';
}

interface Tree {
  readonly others: readonly Holder[];
  readonly parents: ReadonlyMap<string, string>;
}

// What stands deeper is indented no further.
const MOST_INDENTED = 40;

function treeLines(roots: readonly Holder[], { others, parents }: Tree): string[] {
  const inside = groupBy(others, (one) => parents.get(nameOf(one)));
  const depths = new Map<string, number>();
  return depthFirst(roots, (one) => inside.get(nameOf(one)) ?? []).flatMap((holder) => {
    const above = parents.get(nameOf(holder));
    const depth = above === undefined ? 0 : (depths.get(above) ?? 0) + 1;
    depths.set(nameOf(holder), depth);
    const indent = '  '.repeat(Math.min(depth, MOST_INDENTED));
    return holderLines(holder).map((line) => `${indent}${line}`);
  });
}

/** What is made is one line; what stands is named, with each write below. */
function holderLines({ kind, key, title: standing, steps }: Holder): string[] {
  const maker = steps.find((step) => step.kind === kind && step.key === key && isMaker(step));
  const rest = steps.filter((step) => step !== maker);
  if (maker) {
    const how = maker.part === 'undelete' ? [maker.note] : kind === 'site' ? [maker.note] : [];
    const parts = [...how, ...partsOf(rest)].join(', ');
    return [`${SIGNS.create} ${kind} ${maker.title}${parts === '' ? '' : `: ${parts}`}`];
  }
  const own = steps.find((step) => step.kind === kind && step.key === key);
  if (own && steps.length === 1) return stepLines(own);
  const title = own?.title ?? standing ?? steps.find((step) => TITLED_BY_HOLDER.has(step.kind))?.title ?? key;
  return [`  ${kind} ${title}`, ...withFollowers(steps).flatMap((step) => stepLines(step).map((line) => `  ${line}`))];
}

/** What is made is one line, with what is set of it once it is there. */
function withFollowers(steps: readonly PlanStep[]): PlanStep[] {
  const makers = steps.filter(isMaker);
  const makerOf = (step: PlanStep): PlanStep | undefined =>
    isMaker(step) || step.action !== 'update' || step.mend !== undefined
      ? undefined
      : (makers.find(({ kind, key }) => kind === step.kind && key === step.key) ??
        makers.find(
          (maker) => step.kind === 'site-space' && maker.part === 'create' && step.needs.includes(maker.step),
        ));
  return steps
    .filter((step) => makerOf(step) === undefined)
    .map((step) => {
      const notes = steps.filter((one) => makerOf(one) === step).map(({ note }) => note);
      return { ...step, note: [...new Set([step.note, ...notes])].filter((note) => note !== '').join('; ') };
    });
}

/** What has no title of its own is named for what holds it. */
const TITLED_BY_HOLDER: ReadonlySet<KindName> = new Set<KindName>(['revision', 'custom-field-value']);

/** Kinds of writes that are parts of what holds them; others are objects of their own, which are counted. */
const PARTS: ReadonlySet<KindName> = new Set<KindName>([
  'collection',
  'space',
  'revision',
  'custom-field-value',
  'site',
  'site-adaptive-schema',
]);

function partsOf(steps: readonly PlanStep[]): string[] {
  const own = steps.filter(({ kind, part }) => PARTS.has(kind) && part !== 'create');
  const made = [...groupBy(steps.filter(isMaker), ({ kind }) => kind)].map(([kind, all]) => count(all.length, kind));
  return [...own.map(({ kind, note }) => note || kind), ...made];
}

/** What belongs to the organization itself: what is made by kind, what is set one by one. */
function organizationLines(steps: readonly PlanStep[]): string[] {
  const made = [...groupBy(steps.filter(isMaker), ({ kind }) => kind)].map(([kind, all]) => {
    const names = all.map(({ title, note }) => (kind === 'team' ? `${title} ${note}` : title));
    return `${SIGNS.create} ${count(all.length, kind)}: ${few(names, SHOWN_NAMES)}`;
  });
  return [...made, ...steps.filter((step) => !isMaker(step)).flatMap(stepLines)];
}

/** Fields of what is made that somebody had set and that no operation sets. */
function without(steps: readonly PlanStep[]): string[] {
  const fields = steps
    .filter(({ action }) => action === 'create')
    .flatMap(({ kind, lost }) => lost.filter((field) => isMissed(kind, field)).map((field) => `${kind}: ${field}`));
  const groups = [...groupBy(fields, (field) => field)].map(([field, all]) => `! ${field} (${all.length})`);
  return groups.length === 0 ? [] : ['', 'Comes back without, by kind and field:', ...groups];
}

function idleLines(steps: readonly PlanStep[], head: string): string[] {
  const groups = [...groupBy(steps, ({ kind, note }) => `${kind}: ${note}`)].flatMap(([, all]) => {
    const [first] = all;
    if (!first) return [];
    const names = new Set(all.map(({ title }) => title));
    // What has no name but its id tells nobody anything.
    const named = all.every(({ key, title }) => !key.endsWith(title)) ? ` (${few([...names], SHOWN_NAMES)})` : '';
    return [`${SIGNS[first.action]} ${count(all.length, first.kind)}: ${first.note}${named}`];
  });
  return groups.length === 0 ? [] : ['', head, ...groups];
}
