// Steps in their order, and which of them makes what.
import type { KindName } from '../../contract/index.ts';
import type { AppAddresses } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import type { ImportLimits } from '../content/import-parts.ts';
import { lossesOf, mergeLosses, type Losses } from '../ledger.ts';
import type { PeopleMap } from '../special/people.ts';
import { titleOf } from '../resource.ts';
import type { Selection } from '../selection/selection.ts';
import type { TargetState } from '../target.ts';
import { UnknownValues } from '../unknown-values.ts';
import type { Action, Mend, PagesMend, Part, PlanStep } from '../types.ts';

/** What each part does, as a rule. */
const ACTIONS: Readonly<Record<Part, Action>> = {
  create: 'create',
  content: 'create',
  undelete: 'create',
  links: 'update',
  values: 'update',
  options: 'update',
  state: 'update',
  settings: 'update',
  name: 'update',
  defaults: 'update',
  order: 'update',
  transfer: 'update',
  fields: 'update',
  place: 'update',
  pages: 'update',
  remove: 'delete',
  removals: 'delete',
  none: 'unsupported',
};

export interface NewStep {
  /** Where it is another one than its part does as a rule. */
  readonly action?: Action;
  readonly part: Part;
  readonly of: Resource;
  /** For kinds that have none of their own: what holds it. */
  readonly title?: string;
  readonly note?: string;
  /** Steps that must be done before; undefined ones are left out. */
  readonly needs?: readonly (number | undefined)[];
  /** Steps that it can do without; undefined ones are left out. */
  readonly linksTo?: readonly (number | undefined)[];
  readonly requests?: number;
  readonly imports?: number;
  readonly byEdits?: number;
  readonly adopts?: string;
  /** What does not come back exactly of what this step brings, beside the object itself. */
  readonly losses?: Losses;
  readonly mend?: Mend;
  readonly binOf?: string | undefined;
  readonly pages?: PagesMend;
}

/** What every part of a plan is made from. */
export interface Planning {
  readonly list: StepList;
  readonly reader: SnapshotReader;
  /** Of the snapshot. */
  readonly addresses: AppAddresses;
  readonly organization: string;
  readonly review: boolean;
  readonly selection: Selection;
  readonly target: TargetState;
  readonly people: PeopleMap;
  readonly importLimits: ImportLimits;
  /** False for a snapshot of which something was not read, unless a person accepted that. */
  readonly complete: boolean;
  /** In place: the state that the target is in. What stands there is not made again. */
  readonly live: SnapshotReader | null;
  /** What stands for what earlier restores made anew; none where nothing of it stands. */
  readonly heirs: IdMap;
}

/** The id of what stands for something: itself, or what an earlier restore made anew of it; undefined where nothing does. */
export function standing(
  { live, heirs }: Pick<Planning, 'live' | 'heirs'>,
  { kind, key }: Pick<Resource, 'kind' | 'key'>,
): string | undefined {
  return live?.one(kind, key)?.id ?? heirs.get(kind, key);
}

const MAKES: ReadonlySet<Part> = new Set<Part>(['create', 'content', 'undelete', 'transfer']);
export const NO_PAGES = { missing: [], files: [], changed: [], added: [] } as const satisfies PagesMend;

const NO_LOSSES: Losses = { bestEffort: [], lost: [] };

/** Collects steps and knows which step creates what. */
export class StepList {
  readonly steps: PlanStep[] = [];
  readonly #creators = new Map<string, number>();
  /** By space. */
  readonly #ofContent = new Map<string, PlanStep[]>();
  readonly #spacesMade = new Set<string>();
  readonly #shown = new Set<string>();
  readonly #unknown = new UnknownValues();

  add(step: NewStep): number {
    const { of } = step;
    const name = `${of.kind} ${of.key}`;
    const number = this.steps.length + 1;
    const linksTo = (step.linksTo ?? []).filter((one) => one !== undefined);
    const added: PlanStep = {
      step: number,
      action: step.action ?? ACTIONS[step.part],
      part: step.part,
      kind: of.kind,
      key: of.key,
      title: step.title ?? titleOf(of),
      note: step.note ?? '',
      needs: (step.needs ?? []).filter((need) => need !== undefined),
      requests: step.requests ?? 1,
      adopts: step.adopts ?? null,
      ...mergeLosses(
        this.#shown.has(name) || step.part === 'undelete' ? NO_LOSSES : this.#lossesOf(of),
        step.losses ?? NO_LOSSES,
      ),
      ...(step.imports === undefined || step.imports === 1 ? {} : { imports: step.imports }),
      ...(step.byEdits === undefined ? {} : { byEdits: step.byEdits }),
      ...(linksTo.length > 0 ? { linksTo } : {}),
      ...(step.mend ? { mend: step.mend } : {}),
      ...(step.binOf === undefined ? {} : { binOf: step.binOf }),
      ...(step.pages ? { pages: step.pages } : {}),
    };
    this.steps.push(added);
    this.#shown.add(name);
    if (MAKES.has(step.part)) this.#creators.set(name, number);
    this.#note(added);
    return number;
  }

  /** Each space asks for its own steps: a look through those of all spaces, for each, would grow with their square. */
  #note(step: PlanStep): void {
    const { kind, part, key } = step;
    if (kind === 'space' && part === 'create') this.#spacesMade.add(key);
    if (kind !== 'revision') return;
    const others = this.#ofContent.get(key);
    if (others) others.push(step);
    else this.#ofContent.set(key, [step]);
  }

  #lossesOf(of: Resource): Losses {
    const known = lossesOf(of);
    const unknown = this.#unknown.fieldsOf(of).filter((field) => !known.lost.includes(field));
    return mergeLosses(known, { bestEffort: unknown, lost: [] });
  }

  /** What cannot come back, or is left as it is, and why. */
  addUnsupported(of: Resource, note: string, title = titleOf(of)): void {
    this.add({ part: 'none', of, title, note, requests: 0 });
  }

  /** What needs no write, as a rule since something is there already that is taken for it. */
  addNoOp(of: Resource, note: string, adopts?: string): void {
    this.add({ action: 'noOp', part: 'none', of, note, requests: 0, ...(adopts === undefined ? {} : { adopts }) });
  }

  creatorOf(kind: KindName, key: string): number | undefined {
    return this.#creators.get(`${kind} ${key}`);
  }

  /** Spaces that are made anew by what was added so far. */
  get spacesMade(): ReadonlySet<string> {
    return this.#spacesMade;
  }

  /** What was added so far for the content of a space. */
  ofContent(space: string): readonly PlanStep[] {
    return this.#ofContent.get(space) ?? [];
  }

  /** The step that turns the links of a space's pages; undefined where none needs it. */
  linkerOf(space: string): number | undefined {
    return this.ofContent(space).find(({ part }) => part === 'links')?.step;
  }
}
