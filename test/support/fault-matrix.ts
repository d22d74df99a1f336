// Every operation of a walk meets every fault, in a world that has changed since the last walk. Whatever the fault: nothing is called
// complete that is not the truth, nothing that is still there gets a tombstone, and the next clean walk arrives at the truth.
import { cpSync } from 'node:fs';
import { expect } from 'vitest';
import { kindNames, kindOf, operationOf, type AnyOperationName } from '../../src/contract/index.ts';
import { openedSnapshot, openMirror, type Mirror, type Snapshot } from '../../src/mirror/index.ts';
import type { FaultPlan, FaultRule } from '../../src/platform/index.ts';
import type { WalkResult } from '../../src/walker/index.ts';
import { rowsOf, stateOf } from './state.ts';
import type { SyncOptions, TestWorld } from './world.ts';

type State = ReturnType<typeof stateOf>;

/** An operation of a walk, or the download of bytes. */
export type Asked = AnyOperationName | 'download';

export type Outcome = WalkResult | { readonly error: unknown };

/** Operations by which a walk reads containers, content and talk, direct reads of what is gone included. */
export const CONTENT_OPERATIONS = [
  'listOrganizations',
  'listMembers',
  'listMemberSpaces',
  'listCollections',
  'listCollectionSpaces',
  'getRevision',
  'getPage',
  'download',
  'listChangeRequests',
  'getChangeRequest',
  'getChangeRequestRevision',
  'getChangeRequestPage',
  'listComments',
  'listCommentReplies',
  'listChangeRequestComments',
  'listChangeRequestCommentReplies',
  'getSpace',
  'getCollection',
  'getComment',
] as const satisfies readonly Asked[];

/** Those by which it reads what else an organization has. */
export const ORGANIZATION_OPERATIONS = [
  'listTeams',
  'listMemberTeams',
  'listSamlProviders',
  'listCustomFields',
  'getCustomFieldValues',
  'listOpenApiSpecs',
  'listOpenApiSpecVersions',
  'getOpenApiSpecVersionContent',
  'listTranslationSettings',
  'listSites',
  'listSiteSections',
  'listSiteSectionGroups',
  'listSiteSpaces',
  'listShareLinks',
  'getSiteAdaptiveSchema',
  'getPublishedSite',
  'listSpaceLinks',
  'getOrganization',
  'getMember',
  'getTeam',
  'getSamlProvider',
  'getCustomField',
  'getOpenApiSpec',
  'getTranslationSettings',
  'getSite',
  'getInvite',
] as const satisfies readonly Asked[];

export const EVERY_OPERATION: ReadonlySet<string> = new Set([...CONTENT_OPERATIONS, ...ORGANIZATION_OPERATIONS]);

// A direct read that says "gone" of what is there cannot be told from the truth, nor one of what a site may have none of.
const SAYS_GONE: ReadonlySet<Asked> = new Set<Asked>([
  'getOrganization',
  'getSpace',
  'getCollection',
  'getComment',
  'getMember',
  'getTeam',
  'getSamlProvider',
  'getCustomField',
  'getOpenApiSpec',
  'getTranslationSettings',
  'getSite',
  'getInvite',
  'getSiteAdaptiveSchema',
  'getPublishedSite',
]);

const EFFECTS: Readonly<Record<string, FaultRule['effect']>> = {
  401: { status: 401 },
  403: { status: 403 },
  404: { status: 404 },
  429: { status: 429, headers: { 'retry-after': '0' } },
  500: { status: 500 },
  'cut-before': 'cut-before',
  truncate: 'truncate',
  html: 'html',
  'a web page with 404': { status: 404, body: '<h1>No such host</h1>', headers: { 'content-type': 'text/html' } },
  'an empty object': { status: 200, body: {}, headers: { 'content-type': 'application/json' } },
  'empty-list': 'empty-list',
  'short-list': 'short-list',
  'repeat-token': 'repeat-token',
};

const ON_LISTINGS = new Set(['empty-list', 'short-list', 'repeat-token']);

/** Effects that mean something at an operation. */
export function effectsOn(operation: Asked): string[] {
  const isListing = operation !== 'download' && operationOf(operation).paged === true;
  return Object.keys(EFFECTS).filter((name) => {
    if (name === '404' && SAYS_GONE.has(operation)) return false;
    return isListing || !ON_LISTINGS.has(name);
  });
}

/** A mirror of a world as it was, the world as it is, and walks with faults from one to the other. */
export class FaultMatrix implements AsyncDisposable {
  readonly world: TestWorld;
  readonly before: State;
  readonly truth: State;
  /** Of every walk of this world. */
  readonly options: SyncOptions;

  private constructor(world: TestWorld, states: { before: State; truth: State }, options: SyncOptions) {
    this.world = world;
    this.before = states.before;
    this.truth = states.truth;
    this.options = options;
  }

  /** Walks the world, changes it, and learns the truth by a first walk into another mirror. */
  static async of(world: TestWorld, change: () => Promise<void>, options: SyncOptions = {}): Promise<FaultMatrix> {
    const { snapshot } = await world.sync(options);
    expect([snapshot.state, snapshot.reason]).toEqual(['complete', null]);
    const before = stateOf(world.mirror, snapshot.id);
    world.close();
    await change();
    using fresh = await world.newMirror();
    const truth = stateOf(fresh, (await world.sync({ ...options, mirror: fresh })).snapshot.id);
    return new FaultMatrix(world, { before, truth }, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.open();
    await this.world[Symbol.asyncDispose]();
  }

  /** A copy of the mirror as it was before the changes. */
  async copied(): Promise<Mirror> {
    const dataDir = this.world.folder();
    cpSync(this.world.dataDir, dataDir, { recursive: true });
    return openMirror({ dataDir, clock: this.world.clock });
  }

  /** Operations that a full walk over the changes calls. */
  async called(): Promise<string[]> {
    using mirror = await this.copied();
    this.world.platform.clearRequestLog();
    await this.world.sync({ ...this.options, mirror, mode: 'full' });
    return Object.keys(this.world.platform.requestLog.counts());
  }

  /** One fault at every call of one operation, in a full walk; then everything that must hold. */
  async expectHonestUnder(operation: Asked, name: string): Promise<void> {
    const effect = EFFECTS[name] ?? 'html';
    using mirror = await this.copied();
    const result = await this.faulty(mirror, [{ operation, effect }], name === 'repeat-token' ? 1 : 100);
    const spoils =
      typeof effect === 'object' ||
      ['cut-before', 'truncate', 'html'].includes(effect) ||
      (effect === 'short-list' && this.#hasItems(operation));
    if (spoils && !('error' in result)) expect(result.snapshot.state).toBe('partial');
    if (name === '401' && operation === 'listOrganizations')
      expect(result).toMatchObject({ error: { code: 'DM_TOKEN_REFUSED' } });
    else if (name === '401') expect(result).not.toHaveProperty('error');
    await this.expectHonest(mirror, result);
  }

  /** True when a listing has something to leave out. */
  #hasItems(operation: Asked): boolean {
    const kinds = kindNames.filter((name) => {
      const { read } = kindOf(name);
      return read.from === 'list' && read.operation === operation;
    });
    const held = Object.keys(this.truth);
    return kinds.length === 0 || kinds.some((kind) => held.some((key) => key.startsWith(`${kind} `)));
  }

  /** A full walk with faults; what it threw counts as a result too. */
  async faulty(mirror: Mirror, faults: FaultPlan, pageSize = 100): Promise<Outcome> {
    const { world } = this;
    await using client = world.clientOf(world.platform);
    world.platform.faults = faults;
    const settings = { ...this.options.settings, pageSize };
    try {
      return await world.sync({ ...this.options, mirror, client, mode: 'full', settings });
    } catch (error) {
      return { error };
    } finally {
      world.platform.faults = [];
    }
  }

  /** What a walk with faults may leave behind, and what the next one must arrive at. */
  async expectHonest(mirror: Mirror, result: Outcome): Promise<void> {
    const state = stateOf(mirror, 'error' in result ? 1 : result.snapshot.id);
    if (!('error' in result) && result.snapshot.state === 'complete') expect(state).toEqual(this.truth);
    for (const [key, held] of Object.entries(this.truth))
      if (this.before[key]) expect([held, this.before[key]], key).toContainEqual(state[key]);
    this.#expectNoFalseTombstone(mirror);
    const next = await this.#clean(mirror);
    expect([next.state, next.reason]).toEqual(['complete', null]);
    expect(stateOf(mirror, next.id)).toEqual(this.truth);
  }

  #expectNoFalseTombstone(mirror: Mirror): void {
    const buried = rowsOf(mirror, 'select kind, key from tombstones join resources using (rid)');
    for (const { kind, key } of buried)
      expect(this.truth, `tombstone of ${String(kind)}`).not.toHaveProperty([`${String(kind)} ${String(key)}`]);
  }

  async #clean(mirror: Mirror): Promise<Snapshot> {
    const mode = openedSnapshot(mirror) ? 'full' : 'incremental';
    return (await this.world.sync({ ...this.options, mirror, mode })).snapshot;
  }
}
