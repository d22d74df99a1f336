// Walks of a world in which one answer is mutated, and what must hold afterwards, whatever the mutation.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { toAppError, type Random } from '../../src/base/index.ts';
import { isKindName, kindNames, kindOf, type AnyOperationName } from '../../src/contract/index.ts';
import { exportSnapshot } from '../../src/export/index.ts';
import { checkMirror, type Mirror, type Snapshot } from '../../src/mirror/index.ts';
import type { FaultMatrix, Outcome } from '../support/fault-matrix.ts';
import { rowsOf, stateOf } from '../support/state.ts';
import { mutate, type Mutated } from './mutations.ts';
import { startProxy, type MutatingProxy } from './mutating-proxy.ts';

export interface Trial {
  readonly operation: AnyOperationName;
  readonly mutation: string;
  readonly random: Random;
}

export class MutatedWalks implements AsyncDisposable {
  readonly matrix: FaultMatrix;
  /** How often a full walk calls each operation. */
  readonly calls: ReadonlyMap<AnyOperationName, number>;
  readonly #proxy: MutatingProxy;

  private constructor(
    matrix: FaultMatrix,
    learned: { proxy: MutatingProxy; calls: ReadonlyMap<AnyOperationName, number> },
  ) {
    this.matrix = matrix;
    this.calls = learned.calls;
    this.#proxy = learned.proxy;
  }

  static async of(matrix: FaultMatrix): Promise<MutatedWalks> {
    const called = await matrix.called();
    const names = called.filter((name): name is AnyOperationName => name !== 'download');
    const calls = new Map(names.map((name) => [name, matrix.world.asked(name)]));
    return new MutatedWalks(matrix, { proxy: await startProxy(matrix.world.platform.url), calls });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    await this.matrix[Symbol.asyncDispose]();
  }

  /** One mutated answer in a full walk, of a mirror that knows the world or of an empty one; then everything that must hold. */
  async expectHonestUnder(trial: Trial): Promise<void> {
    const { world } = this.matrix;
    using mirror = trial.random.int(2) === 0 ? await world.newMirror() : await this.matrix.copied();
    const { outcome, mutated } = await this.#walk(mirror, trial);
    expectKnown(mirror, outcome);
    if ('snapshot' in outcome) {
      if (outcome.snapshot.state === 'complete') this.#expectNothingLost(mirror, trial, { outcome, mutated });
      this.#expectNoFalseTombstone(mirror, { trial, mutated });
    }
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
    const to = join(world.folder(), 'content');
    if ('snapshot' in outcome) await expectInside(mirror, outcome.snapshot, to);
    const clean = await this.#settled(mirror);
    expect(differences(stateOf(mirror, clean.id), this.matrix.truth)).toEqual([]);
    await expectInside(mirror, clean, to);
    expect((await checkMirror(mirror, { readData: true })).problems).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  }

  async #walk(mirror: Mirror, trial: Trial): Promise<{ outcome: Outcome; mutated: Mutated | null }> {
    const { world, options } = this.matrix;
    let left = trial.random.int(this.calls.get(trial.operation) ?? 1);
    let mutated: Mutated | null = null;
    this.#proxy.spoil = (operation, text) => {
      if (operation !== trial.operation || left-- !== 0) return null;
      mutated = mutate(text, trial.mutation, trial.random);
      return mutated.body;
    };
    await using client = world.clientOf({ url: this.#proxy.url, token: world.platform.token });
    const walking = { ...options, mirror, client, mode: 'full' } as const;
    const outcome = await world.sync(walking).catch((error: unknown): Outcome => ({ error }));
    return { outcome, mutated };
  }

  /** A complete snapshot holds every resource of the platform, with its text and bytes. */
  #expectNothingLost(
    mirror: Mirror,
    trial: Trial,
    { outcome, mutated }: { outcome: { snapshot: Snapshot }; mutated: Mutated | null },
  ): void {
    if (isSaidSo(trial, mutated)) return;
    const state = stateOf(mirror, outcome.snapshot.id);
    const lost = Object.entries(this.matrix.truth).filter(([key, { text, sha256 }]) => {
      const held = state[key];
      if (isBeside(key) && held === undefined) return false;
      return held === undefined || (text !== null && held.text === null) || (sha256 !== null && held.sha256 === null);
    });
    expect(lost.map(([key]) => key)).toEqual([]);
  }

  #expectNoFalseTombstone(mirror: Mirror, { trial, mutated }: { trial: Trial; mutated: Mutated | null }): void {
    if (isSaidSo(trial, mutated)) return;
    const buried = rowsOf(mirror, 'select kind, key from tombstones join resources using (rid)');
    const keys = buried.map(({ kind, key }) => `${String(kind)} ${String(key)}`);
    expect(keys.filter((key) => key in this.matrix.truth)).toEqual([]);
  }

  /** Walks without mutations until one is complete: an absence that only a second listing proves takes two. */
  async #settled(mirror: Mirror): Promise<Snapshot> {
    const { world, options } = this.matrix;
    for (let turn = 0; ; turn++) {
      const { snapshot } = await world.sync({ ...options, mirror, mode: 'full' });
      if (snapshot.state === 'complete') return snapshot;
      expect(turn, snapshot.reason ?? '').toBeLessThan(2);
    }
  }
}

/** Every end has a code of its own: nothing that broke is called a failure of the platform, and nothing broke. */
function expectKnown(mirror: Mirror, outcome: Outcome): void {
  if ('error' in outcome) expect(toAppError(outcome.error)).not.toMatchObject({ code: 'DM_INTERNAL' });
  expect(rowsOf(mirror, `select * from failures where code = 'DM_INTERNAL'`)).toEqual([]);
}

/** Exports a snapshot; nothing beside the folder, and no link in it. */
async function expectInside(mirror: Mirror, snapshot: Snapshot, to: string): Promise<void> {
  mkdirSync(join(to, '..'), { recursive: true });
  await exportSnapshot({ mirror, snapshot: snapshot.id, to });
  expect(readdirSync(join(to, '..'))).toEqual(['content']);
  const entries = readdirSync(to, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
}

type State = FaultMatrix['truth'];

/** Names of resources that two states show differently. */
function differences(one: State, other: State): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => {
    // What is fetched beside a page is fetched where its text is read, which may have been needed once and not again.
    if (isBeside(key) && (one[key] === undefined || other[key] === undefined)) return false;
    return !isDeepStrictEqual(one[key], other[key]);
  });
}

function isBeside(key: string): boolean {
  const kind = key.split(' ', 1)[0] ?? '';
  return isKindName(kind) && kindOf(kind).read.from === 'beside';
}

/** Fields that say who a resource is, and those that say what there is to be read of it. */
const IDS = new Set(kindNames.flatMap((kind) => kindOf(kind).id?.split('.').at(-1) ?? []));
const SAYS_WHAT_THERE_IS = new Set([
  ...kindNames.flatMap((kind) => kindOf(kind).countedBy ?? []),
  'type',
  'documentId',
  'computed',
  'deletedAt',
]);

/** True for an answer that is a right one of another platform: fewer items, another id, no text to be read. */
function isSaidSo({ mutation }: Trial, mutated: Mutated | null): boolean {
  if (mutated?.wasList && mutation === 'emptied') return true;
  const last = mutated?.place?.at(-1);
  if (last === undefined) return false;
  if (typeof last === 'number') return mutation === 'missing';
  if (SAYS_WHAT_THERE_IS.has(last)) return true;
  return IDS.has(last) && ['hostile name', 'huge text'].includes(mutation);
}
