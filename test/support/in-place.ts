// A restore into the platform itself, with what it wrote and what differs afterwards.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  applyPlan,
  planInPlace,
  planUndo,
  resumeRestore,
  spacesAskedFor,
  spacesWritten,
  verifyRestore,
  writePlan,
  writesWithin,
  type ApplyResult,
  type ApplySettings,
  type Choices,
  type ImportLimits,
  type ObserveTarget,
  type Plan,
  type VerifyReport,
} from '../../src/restore/index.ts';
import { detailOf, diffSnapshots, hasNewSuspicion, isSame, undoFile } from '../../src/mirror/index.ts';
import { enoughToRead } from '../../src/app/restoring/enough-to-read.ts';
import { furnish, type Furnished } from './content.ts';
import { furnishedWorld, type FurnishedOptions } from './furnished.ts';
import { endure, type Cut, type Endured } from './endure.ts';
import { walkedWorlds } from './copied-world.ts';
import { TestWorld } from './world.ts';

/** A platform with content, its mirror, and a way to restore from the one to the other. */
export interface Mirrored {
  readonly world: TestWorld;
  readonly made: Furnished;
  readonly place: InPlace;
}

/** `prepare` adds to the platform before it is walked. */
export async function mirrored(
  prepare?: (world: TestWorld, made: Furnished) => Promise<unknown>,
  options: FurnishedOptions = {},
): Promise<Mirrored> {
  const world = await furnishedWorld(options);
  const { made } = world;
  await prepare?.(world, made);
  await world.sync();
  return { world, made, place: inPlace(world) };
}

/** As `mirrored`, each a copy of one that was made once, with what `prepare` gave. */
export function mirroredAnew<More = object>(
  prepare?: (world: TestWorld, made: Furnished) => Promise<More>,
  options: FurnishedOptions = {},
): () => Promise<Mirrored & More> {
  const anew = walkedWorlds(async (world) => {
    const made = await furnish(world);
    const more = await prepare?.(world, made);
    await world.sync();
    return { made, more };
  }, options);
  return async () => {
    const world = await anew();
    const { made, more } = world.made;
    return { world, made, place: inPlace(world), ...(more as More) };
  };
}

/** A platform with no more than a test needs, and its mirror. */
export type Bare = Omit<Mirrored, 'made'>;

/** As `mirrored`, of a platform that has nothing but what `prepare` gives it. */
export async function bare(prepare: (world: TestWorld) => Promise<unknown>): Promise<Bare> {
  const world = await TestWorld.create();
  await prepare(world);
  await world.sync();
  return { world, place: inPlace(world) };
}

/** As `bare`, each a copy of one that was made once, with what `prepare` gave. */
export function bareAnew<More = object>(
  prepare: (world: TestWorld) => Promise<More>,
  options: FurnishedOptions = {},
): () => Promise<Bare & More> {
  const anew = walkedWorlds(async (world) => {
    const more = await prepare(world);
    await world.sync();
    return more;
  }, options);
  return async () => {
    const world = await anew();
    return { world, place: inPlace(world), ...world.made };
  };
}

export interface InPlaceChoice extends Partial<Choices> {
  readonly scope?: string;
  readonly where?: string;
  readonly review?: boolean;
  readonly withoutComments?: boolean;
  readonly snapshot?: number;
  readonly importLimits?: ImportLimits;
}

export interface InPlace {
  readonly settings: ApplySettings;
  /** Reads the live state and plans against it. */
  plan(choice?: InPlaceChoice): Promise<Plan>;
  apply(plan: Plan, changes?: Partial<ApplySettings>): Promise<ApplyResult>;
  resume(restore: string, changes?: Partial<ApplySettings>): Promise<ApplyResult>;
  /** Applies and resumes through a client that loses every write, until nothing is left to do. */
  endure(plan: Plan, cut: Cut, changes?: Partial<ApplySettings>): Promise<Endured>;
  /** By what it reads into the mirror, as the command does, or by what is observed otherwise. */
  verify(restore: string, observeTarget?: ObserveTarget): Promise<VerifyReport>;
  /** The way back from a restore. */
  undo(restore: string, plan: Plan, how?: { readonly evenChanged?: boolean }): Promise<Plan>;
  /** Requests that could have written something, since the log was cleared: operation and how often. */
  writes(): Record<string, number>;
  clear(): void;
  /** What differs between a snapshot and the platform as it is now: `change kind label`. */
  differences(snapshot: number): Promise<string[]>;
}

const NEVER = new AbortController().signal;

/** Where the command keeps it: by its place an undo is known as one. */
async function written({ workDir }: ApplySettings, plan: Plan): Promise<string> {
  const { undoes, nonce } = plan;
  const file = undoes === null ? join(workDir, `${nonce}.plan.json`) : undoFile(workDir, undoes, plan);
  await mkdir(dirname(file), { recursive: true });
  await writePlan(plan, file);
  return file;
}

/** `client`: by which the platform is walked and written to. `extraSpaces`: those that are walked besides what is found. */
export function inPlace(world: TestWorld, client = world.client, extraSpaces: readonly string[] = []): InPlace {
  const settings: ApplySettings = {
    mirror: world.mirror,
    client,
    contentServer: { host: '127.0.0.1', port: 0, publicUrl: null },
    workDir: world.folder(),
    clock: world.sleepless,
    random: world.random,
    log: world.log,
  };
  // As the command reads it: only the spaces that matter, and what a listing lacks for the first time is looked at once more.
  const readLive = async (wanted: readonly string[] | null): Promise<number> => {
    // What the platform makes of a specification is there once it has read that.
    await world.platform.settle();
    const { mirror } = world;
    const onlySpaces = await enoughToRead({ mirror, client, spaces: wanted, signal: NEVER, least: 1 });
    const some = { client, scope: { organizations: null, onlySpaces, extraSpaces: [...extraSpaces] } };
    const options = onlySpaces === null && extraSpaces.length === 0 ? { client } : some;
    const { snapshot: first } = await world.sync(options);
    return hasNewSuspicion(mirror, first.id) ? (await world.sync(options)).snapshot.id : first.id;
  };
  const readAgain: ObserveTarget = async (_client, { spaces }) => {
    const snapshot = await readLive(spaces);
    return { mirror: world.mirror, snapshot, [Symbol.asyncDispose]: () => Promise.resolve() };
  };
  const planOn = async (choice: InPlaceChoice, wanted: readonly string[] | null): Promise<Plan> => {
    const { scope = null, where = null, review, withoutComments, snapshot = 1, importLimits, ...choices } = choice;
    return planInPlace({
      ...settings,
      snapshot,
      live: await readLive(wanted),
      targetUrl: world.platform.url,
      scope,
      where,
      review: review ?? false,
      withoutComments,
      ...(importLimits ? { importLimits } : {}),
      choices: { missing: true, changed: true, added: false, ...choices },
    });
  };
  return {
    settings,
    plan: async (choice = {}) => {
      const { scope = null, where = null, snapshot = 1 } = choice;
      const spaces = spacesAskedFor({ mirror: world.mirror, snapshot, scope, where });
      const plan = await planOn(choice, spaces);
      return spaces === null || writesWithin(plan, spaces) ? plan : planOn(choice, null);
    },
    apply: async (plan, changes = {}) => {
      const planFile = await written(settings, plan);
      return applyPlan({ ...settings, ...changes }, { plan, planFile });
    },
    resume: (restore, changes = {}) => resumeRestore({ ...settings, ...changes }, restore),
    endure: async (plan, cut, changes = {}) => {
      const planFile = join(world.folder(), 'endured.plan.json');
      await writePlan(plan, planFile);
      return endure({ ...settings, ...changes }, { plan, planFile, cut });
    },
    undo: async (restore, plan, { evenChanged = false } = {}) =>
      planUndo({
        ...settings,
        journal: world.mirror,
        restore,
        plan,
        evenChanged,
        snapshot: plan.live?.snapshot ?? 0,
        live: await readLive(spacesWritten(plan)),
        targetUrl: world.platform.url,
      }),
    verify: (restore, observeTarget = readAgain) => verifyRestore({ ...settings, restore, observeTarget }),
    writes: () => {
      const counts: Record<string, number> = {};
      for (const { method, operation } of world.platform.requestLog.recent())
        if (method !== 'GET' && operation !== null) counts[operation] = (counts[operation] ?? 0) + 1;
      return counts;
    },
    clear: () => world.platform.clearRequestLog(),
    differences: async (snapshot) => {
      const { snapshot: now } = await world.sync({ mode: 'full' });
      const found = [...diffSnapshots(world.mirror, [snapshot, now.id])];
      const real = found.filter((one) => !isSame(detailOf(world.mirror, [snapshot, now.id], one)));
      return real.map(({ change, kind, label }) => `${change} ${kind} ${label}`);
    },
  };
}

/** What the undo of a restore does to the spaces that it made: `action title`. */
export async function spacesUndone(place: InPlace, restore: string, plan: Plan): Promise<string[]> {
  const { steps } = await place.undo(restore, plan);
  return steps.filter(({ kind }) => kind === 'space').map(({ action, title }) => `${action} ${title}`);
}
