// A mirrored organization and an empty one to restore it into.
import { join } from 'node:path';
import type { ApiClient } from '../../src/client/index.ts';
import type { AnyOperationName } from '../../src/contract/index.ts';
import { startPlatform, type EmbeddedPlatform, type PlatformOptions } from '../../src/platform/index.ts';
import {
  applyPlan,
  makePlan,
  resumeRestore,
  runDrill,
  verifyRestore,
  writePlan,
  type ApplyResult,
  type ApplySettings,
  type ImportLimits,
  type ObserveTarget,
  type PeopleChoice,
  type Plan,
  type VerifyReport,
} from '../../src/restore/index.ts';
import { endure, type Cut, type Endured } from './endure.ts';
import { stateOf } from './state.ts';
import { SETTINGS, type TestWorld } from './world.ts';
import { sharedChecks } from './checks.ts';

/** Which of the plan's creations of a kind is that of this title: the first is 1, as faults count. */
export function nthMade({ steps }: Plan, kind: string, title: string): number {
  const made = steps.filter((step) => step.kind === kind && step.part === 'create');
  return 1 + made.findIndex((step) => step.title === title);
}

export interface PlanChoice {
  snapshot?: number;
  review?: boolean;
  scope?: string;
  where?: string;
  intoExisting?: boolean;
  toOrganization?: string;
  contentServer?: ApplySettings['contentServer'];
  targetUrl?: string;
  client?: ApiClient;
  people?: PeopleChoice;
  keepMentions?: boolean;
  withoutComments?: boolean;
  importLimits?: ImportLimits;
}

export interface Target extends AsyncDisposable {
  readonly platform: EmbeddedPlatform;
  readonly client: ApiClient;
  readonly organization: string;
  readonly settings: ApplySettings;
  plan(options?: PlanChoice): Promise<Plan>;
  /** Applies a plan that is written to a file of its own first. */
  apply(plan: Plan, changes?: Partial<ApplySettings>): Promise<ApplyResult>;
  resume(restore: string, changes?: Partial<ApplySettings>): Promise<ApplyResult>;
  /** Applies and resumes through a client that loses every write, until nothing is left to do. */
  endure(plan: Plan, cut: Cut, changes?: Partial<ApplySettings>): Promise<Endured>;
  verify(restore: string, changes?: Partial<ApplySettings>): Promise<VerifyReport>;
  /** A verification, and how many resources of each kind it came upon. */
  verifyCounting(restore: string): Promise<VerifyReport & { readonly counts: Record<string, number> }>;
  /** Requests that could have written something, since the log was cleared. */
  writes(): string[];
  /** Id of the space that is called so. */
  spaceCalled(title: string): Promise<string>;
  /** How many resources of each kind stand on the target. */
  counts(): Promise<Record<string, number>>;
}

/** An empty platform beside the world's, with one organization. */
export async function createTarget(world: TestWorld, options: Partial<PlatformOptions> = {}): Promise<Target> {
  const { clock, log } = world;
  const platform = await startPlatform({
    clock,
    random: world.nextTarget(),
    log,
    database: ':memory:',
    checks: sharedChecks,
    organization: 'Target',
    checkAnswers: true,
    ...options,
  });
  const client = world.clientOf(platform);
  const organization = platform.organizations()[0] ?? '';
  const settings: ApplySettings = {
    mirror: world.mirror,
    client,
    contentServer: { host: '127.0.0.1', port: 0, publicUrl: null },
    workDir: world.folder(),
    clock: world.sleepless,
    random: world.random,
    log,
  };
  const observeTarget = observer(world);
  return {
    platform,
    client,
    organization,
    settings,
    plan: ({ scope, where, toOrganization, ...choice } = {}) =>
      makePlan({
        ...settings,
        snapshot: 1,
        targetUrl: platform.url,
        scope: scope ?? null,
        where: where ?? null,
        toOrganization: toOrganization ?? null,
        intoExisting: false,
        review: false,
        ...choice,
      }),
    apply: async (plan, changes = {}) => {
      const planFile = join(world.folder(), 'a.plan.json');
      await writePlan(plan, planFile);
      return applyPlan({ ...settings, ...changes }, { plan, planFile });
    },
    resume: (restore, changes = {}) => resumeRestore({ ...settings, ...changes }, restore),
    endure: async (plan, cut, changes = {}) => {
      const planFile = join(world.folder(), 'endured.plan.json');
      await writePlan(plan, planFile);
      return endure({ ...settings, ...changes }, { plan, planFile, cut });
    },
    verify: (restore, changes = {}) => verifyRestore({ ...settings, ...changes, restore, observeTarget }),
    verifyCounting: async (restore) => {
      let counts: Record<string, number> = {};
      const counting: ObserveTarget = async (through, observed) => {
        const view = await observeTarget(through, observed);
        counts = countsIn(view);
        return view;
      };
      return { ...(await verifyRestore({ ...settings, restore, observeTarget: counting })), counts };
    },
    writes: () =>
      platform.requestLog.recent().flatMap(({ method, target }) => (method === 'GET' ? [] : [`${method} ${target}`])),
    spaceCalled: async (title) => {
      const { items } = await client.api.listMemberSpaces({
        path: { organizationId: organization, userId: platform.owner },
      });
      return items.find(({ space }) => space.title === title)?.space.id ?? '';
    },
    counts: async () => {
      await using view = await observeTarget(client, { organizations: [organization], invites: [], spaces: null });
      return countsIn(view);
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

/** How many resources of each kind a snapshot holds. */
function countsIn({ mirror, snapshot }: Awaited<ReturnType<ObserveTarget>>): Record<string, number> {
  const kinds = Object.keys(stateOf(mirror, snapshot)).map((key) => key.split(' ')[0] ?? '');
  return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]));
}

/** As the public platform is today; `more` is missing as well. */
export function withoutImport(platform: EmbeddedPlatform, ...more: AnyOperationName[]): void {
  const effect = { status: 404, body: { error: { code: 404, message: 'Not found' } } };
  const missing: AnyOperationName[] = ['importContent', 'importChangeRequestContent', ...more];
  platform.faults = missing.map((operation) => ({ operation, effect }));
}

/** Walks a target into a mirror of its own. */
export function observer(world: TestWorld): ObserveTarget {
  return async (client, observed) => {
    const mirror = await world.newMirror();
    const scope = { ...observed, onlySpaces: null, extraSpaces: [] };
    const { snapshot } = await world.sync({ mirror, client, mode: 'full', scope, settings: SETTINGS });
    return {
      mirror,
      snapshot: snapshot.id,
      [Symbol.asyncDispose]: () => Promise.resolve(mirror[Symbol.dispose]()),
    };
  };
}

/** The first snapshot, drilled into a platform with an organization and its people for each. */
export async function drill(
  world: TestWorld,
  prepare: (platform: EmbeddedPlatform) => void = () => undefined,
  changes: Partial<ApplySettings> = {},
): Promise<VerifyReport> {
  const target = await createTarget(world, { organization: null });
  prepare(target.platform);
  return runDrill({
    ...target.settings,
    ...changes,
    snapshot: 1,
    observeTarget: async (client, observed) => {
      await target.platform.settle();
      return observer(world)(client, observed);
    },
    openTarget: (organizations) =>
      Promise.resolve({
        client: target.client,
        url: target.platform.url,
        organizations: organizations.map(({ title, people }) => {
          const organization = target.platform.createOrganization({ title });
          for (const person of people)
            if (person.displayName !== 'Admin') target.platform.createUser({ ...person, organization, role: null });
          return organization;
        }),
        [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
      }),
  });
}
