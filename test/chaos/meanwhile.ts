// Restores in place while people go on working, with kills and faults at any instant: nothing that they did is lost, and nothing stands
// there that neither they nor the restore made.
import { join } from 'node:path';
import { seededRandom, systemClock } from '../../src/base/index.ts';
import { listRestores, listSnapshots, readMirror, type Mirror } from '../../src/mirror/index.ts';
import { readPlan } from '../../src/restore/index.ts';
import { isUnderWay } from '../../src/contract/index.ts';
import { EDIT } from '../support/content.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf, stateOf, truthOf } from '../support/state.ts';
import { Colleagues, isOfColleagues } from './colleagues.ts';
import { disasterOf } from './disaster-world.ts';
import { shifted, untilDone } from './disturbed.ts';
import { pick } from './edits.ts';
import { start } from './processes.ts';
import { demandWhole, happen, night, onStage, type Stage, type StageOptions } from './stage.ts';

const CHOICES = [[], [], ['missing'], ['changed'], ['--delete']] as const;
const MOST_DISASTERS = 2;
// Of the requests of a restore, during each of which somebody may do something.
const SHARE = 0.15;

interface Meanwhile extends Stage {
  readonly colleagues: Colleagues;
}

/** Throws with the seed where a promise was not kept. */
export async function runMeanwhile(options: StageOptions): Promise<void> {
  const disaster = disasterOf(options.seed);
  const config = `${disaster.settings}export:\n  enabled: false\n`;
  await onStage(options, { ...disaster, config }, async (alone) => {
    const { world, environment } = alone;
    await using proxy = await rewriting(world);
    const colleagues = new Colleagues(world, seededRandom(options.seed + 1));
    const stage = { ...alone, colleagues, environment: { ...environment, DOCMIRROR_BASE_URL: proxy.url } };
    await night(stage);
    for (const { done } of disaster.disasters.slice(0, MOST_DISASTERS)) await happen(stage, done);
    const plan = await planned(stage);
    // What writes nothing cannot be taken back, and says so.
    if ((await readPlan(plan)).steps.every(({ part }) => part === 'none')) return;
    const before = { known: everHeld(stage), since: world.clock.now() };
    const chance = seededRandom(options.seed + 2);
    proxy.rewrite = async ({ method }) => {
      if (method !== 'GET') colleagues.isThere = true;
      if (chance.next() < SHARE) await colleagues.act();
      return undefined;
    };
    const restore = await written(stage, ['restore', 'apply', plan]);
    if (restore === null) return;
    await demandTheirs(stage, { ...before, when: 'after the restore' });
    await written(stage, ['restore', 'undo', restore]);
    await demandTheirs(stage, { ...before, when: 'after it was taken back' });
    await demandWhole(stage);
  });
}

async function planned(stage: Meanwhile): Promise<string> {
  const { world, random, folder } = stage;
  const out = join(folder, 'plan.json');
  const asked = ['--snapshot', '1', '--scope', `organization:${world.organization}`, '--in-place'];
  const args = ['restore', 'plan', ...asked, ...(pick(random, CHOICES) ?? []), '--out', out, '--json'];
  const { code, stderr } = await start(args, shifted(stage.environment, world)).ended;
  if (code !== 0) throw new Error(`restore plan ended with ${code}: ${stderr}`);
  return out;
}

/** Writes a restore or takes it back, resumed until it ends; answers its id, null where nothing was to be written. */
async function written(stage: Meanwhile, begin: readonly string[]): Promise<string | null> {
  const { random, colleagues, tell } = stage;
  const before = restoresIn(stage);
  const own = (): string | undefined => restoresIn(stage).find((id) => !before.includes(id));
  colleagues.isThere = false;
  colleagues.left = 10 + random.int(20);
  const { code } = await untilDone(stage, {
    args: () => {
      const id = own();
      return id === undefined ? [...begin, '--json'] : ['restore', 'resume', id, '--json'];
    },
    // What they changed it leaves and names.
    ends: [0, 3],
  });
  await colleagues.leave();
  tell(`  ${begin[1]} beside ${colleagues.words.size} things of colleagues: exit ${code}`);
  return own() ?? null;
}

interface Asked {
  /** Kinds and keys that the mirror has ever held. */
  readonly known: ReadonlySet<string>;
  /** When they began, by the clock of the platform: what is older lay in the bin. */
  readonly since: number;
  readonly when: string;
}

async function demandTheirs(stage: Meanwhile, { known, since, when }: Asked): Promise<void> {
  const truth = Object.entries(await truthOf(stage.world));
  const lost = [...stage.colleagues.words].filter(
    ([word, { kinds }]) =>
      !truth.some(([name, one]) => kinds.includes(kindIn(name)) && JSON.stringify(one).includes(word)),
  );
  if (lost.length > 0) throw new Error(`${when}, what colleagues wrote is lost: ${JSON.stringify(lost)}`);
  const made = inMirror(stage, idsWritten);
  const orphans = truth.filter(
    ([name, one]) =>
      !known.has(name) &&
      !made.has(lastOf(name)) &&
      !isOlder(one, since) &&
      !isOfColleagues([name, one]) &&
      !name.split(/[ /]/).some((id) => stage.colleagues.spaces.has(id)) &&
      !isLeftOver(name, one),
  );
  if (orphans.length === 0) return;
  const shown = orphans.slice(0, 5).map(([name, { body }]) => `${name} ${JSON.stringify(body).slice(0, 200)}`);
  throw new Error(`${when}, ${orphans.length} things stand there that nobody made:\n${shown.join('\n')}`);
}

function isOlder({ body }: { readonly body: Readonly<Record<string, unknown>> }, since: number): boolean {
  return Date.parse(String(body['createdAt'])) < since;
}

/** What comes with a space, a page or an edit by itself, and the change requests that edits went through. */
function isLeftOver(name: string, { body }: { readonly body: Readonly<Record<string, unknown>> }): boolean {
  const kind = kindIn(name);
  if (kind === 'change-request') return body['subject'] === EDIT || !isUnderWay(body['status']);
  return !COUNTED.has(kind);
}

const COUNTED: ReadonlySet<string> = new Set([
  'space',
  'page',
  'file',
  'comment',
  'comment-reply',
  'collection',
  'team',
  'site',
  'site-space',
  'site-section',
  'share-link',
  'custom-field',
  'change-request-comment',
  'change-request-comment-reply',
]);

function kindIn(name: string): string {
  return name.split(' ', 1)[0] ?? '';
}

function lastOf(name: string): string {
  return name.split(/[ /]/).at(-1) ?? '';
}

function inMirror<T>({ environment }: Stage, look: (mirror: Mirror) => T): T {
  using mirror = readMirror({ dataDir: environment['DOCMIRROR_DATA_DIR'] ?? '', clock: systemClock() });
  return look(mirror);
}

function restoresIn(stage: Stage): string[] {
  return inMirror(stage, (mirror) => listRestores(mirror).map(({ id }) => id));
}

function everHeld(stage: Stage): Set<string> {
  return inMirror(
    stage,
    (mirror) => new Set(listSnapshots(mirror).flatMap(({ id }) => Object.keys(stateOf(mirror, id)))),
  );
}

/** Ids of what restores noted that they made. */
function idsWritten(mirror: Mirror): Set<string> {
  return new Set(
    rowsOf(mirror, 'select new_id, detail from restore_steps').flatMap(({ new_id: id, detail }) => {
      const { map = {} } = JSON.parse(typeof detail === 'string' ? detail : '{}') as {
        map?: Record<string, Record<string, string>>;
      };
      return [...(typeof id === 'string' ? [id] : []), ...Object.values(map).flatMap((ids) => Object.values(ids))];
    }),
  );
}
