import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { App, RunningDaemon, SyncResult } from '../../app.ts';
import { AppError, Secret, toAppError, type ProcessLock } from '../../base/index.ts';
import { isPlatformNamed, requirePlatform } from '../../config/index.ts';
import { runQuery } from '../../mirror/index.ts';
import { adviceOn } from '../advice.ts';
import { announce } from '../announce.ts';
import { createCommand, does, type CommandContext, type Run } from '../command.ts';
import type { Screen } from '../screen.ts';
import { untilStopped } from '../until-stopped.ts';
import { followRestore } from '../views/restore-progress.ts';
import { startDocument, startView, type Started } from '../views/start.ts';
import { count, span } from '../views/units.ts';
import { followSync } from '../views/walk-progress.ts';

export function startCommand(run: Run): Command {
  const command = createCommand({
    name: 'start',
    examples: ['start', 'start --base-url https://api.docs.example --token-file token.txt'],
    notes: [
      'Without a platform in the settings it starts the embedded one, filled with real documentation.',
      'One for each data directory: a second one ends with DM_ALREADY_RUNNING, and changes nothing.',
    ],
  });
  return does(run, command, async (context) => {
    const isNamed = isPlatformNamed(context.app.config);
    if (isNamed) requirePlatform(context.app.config);
    // Before the platform is opened: a second start must not touch that of the first.
    using lock = await context.app.lockDaemon('start');
    if (isNamed) await mirrorAndStay(context, { lock, demo: false });
    else await startDemo(context, lock);
  });
}

async function startDemo(context: CommandContext, lock: ProcessLock): Promise<void> {
  const { app, screen, signal } = context;
  await screen.note('No platform is configured: starting the embedded one, with real documentation.');
  using progress = screen.progress('fill');
  await using embedded = await app.startDemo({
    onSeed: ({ spaces, totalSpaces, pages }) => progress.update(spaces, totalSpaces, count(pages, 'page')),
    signal,
  });
  progress[Symbol.dispose]();
  const { url, token } = embedded.platform;
  await screen.note(`Platform: ${url}${embedded.seeded ? '' : ' (filled by an earlier start)'}`);
  const invites = embedded.platform.invites();
  await using demo = app.at({ baseUrl: url, token: Secret.of(token) }, { invites });
  try {
    await mirrorAndStay({ ...context, app: demo }, { lock, demo: true });
  } catch (error) {
    throw startedAgain(error);
  }
}

/** Its platform goes with it, so that no other command could continue its walk. */
function startedAgain(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'DM_INTERRUPTED') return error;
  const hint = 'Run the same command again; it continues from what was committed.';
  return new AppError(error.code, error.message, { hint, cause: error });
}

interface Staying {
  readonly lock: ProcessLock;
  readonly demo: boolean;
}

async function mirrorAndStay(context: CommandContext, { lock, demo }: Staying): Promise<void> {
  const { app, screen, signal } = context;
  await using daemon = await app.openDaemon(lock);
  const sync = await walkOnce(app, { daemon, screen, signal, demo });
  const drill = await drillOnce(app, screen, signal);
  const { dataDir, platform } = app.config;
  const started: Started = {
    sync,
    drill,
    status: await app.status(),
    documents: documentsIn(dataDir),
    isExported: existsSync(join(dataDir, 'content')),
    demo: demo ? app.demo() : null,
    url: daemon.url,
    dataDir,
    platform: platform.baseUrl,
  };
  await announce(context, startDocument(started), (look) => startView(started, look));
  context.stayUp();
  await daemon.run(signal);
  await untilStopped(context);
}

/** Pages with a text of their own, groups and links not among them. */
function documentsIn(dataDir: string): number {
  return Number(runQuery(dataDir, `select count(*) from pages where type = 'document'`, null).rows[0]?.[0] ?? 0);
}

interface FirstWalk {
  readonly daemon: RunningDaemon;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly demo: boolean;
}

async function walkOnce(app: App, { daemon, screen, signal, demo }: FirstWalk): Promise<SyncResult> {
  using progress = followSync(screen, app.clock);
  const { onProgress, onExport } = progress;
  // The embedded platform may get another port than last time; it is the one of this data directory all the same.
  const sync = await daemon.sync({ moved: demo, onProgress, onExport, signal });
  progress[Symbol.dispose]();
  const { id, state, requests, duration_ms } = sync.snapshot;
  const before = sync.before === null ? '' : `; continued, ${count(sync.before, 'request')} of these were done before`;
  await screen.note(`Walk: snapshot ${id} is ${state}, ${count(requests, 'request')}, ${span(duration_ms)}${before}`);
  using mirror = app.reader();
  for (const line of adviceOn(mirror, sync.snapshot, app.config)) await screen.note(line);
  if (sync.export.state === 'failed') {
    const { code, message, hint } = sync.export.error;
    await screen.fault(code, `The export failed: ${message}`, hint);
  }
  return sync;
}

/** A drill that is still fresh is not repeated. Its failure is told and does not end the daemon. */
async function drillOnce(app: App, screen: Screen, signal: AbortSignal): Promise<Started['drill']> {
  const { drillAgeMs } = await app.status();
  if (drillAgeMs !== null && drillAgeMs <= app.config.freshness.drillMs) return { state: 'fresh', ageMs: drillAgeMs };
  using progress = followRestore(screen, 'drill', app.clock);
  try {
    const { onProgress, onRead } = progress;
    const report = await app.drill({ onProgress, onRead, signal });
    return { state: 'done', report };
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, message, hint } = toAppError(error);
    progress[Symbol.dispose]();
    await screen.fault(code, `The drill failed: ${message}`, hint);
    return { state: 'failed' };
  }
}
