import type { Command } from 'commander';
import type { App, SyncFlags, SyncResult } from '../../app.ts';
import type { ExitCode } from '../../base/index.ts';
import {
  createCommand,
  does,
  kindNamed,
  resourceId,
  timeSpan,
  wholeNumber,
  type CommandContext,
  type Run,
} from '../command.ts';
import { adviceOn } from '../advice.ts';
import { forecastView } from '../views/forecast.ts';
import { exportLine, syncDocument, syncView } from '../views/sync.ts';
import { followSync } from '../views/walk-progress.ts';

interface Options {
  full?: boolean;
  organization?: string[];
  collection?: string[];
  space?: string[];
  kind?: string[];
  pdf?: boolean;
  acceptRights?: boolean;
  moved?: boolean;
  maxRequests?: string;
  maxDuration?: string;
  plan?: boolean;
}

export function syncCommand(run: Run): Command {
  const command = createCommand({
    name: 'sync',
    examples: ['sync', 'sync --full', 'sync --space SPACE_ID --json', 'sync --plan', 'sync --max-requests 5000'],
    notes: ['Exit code 3: the snapshot is stored but partial or suspect. A walk that was cut off is continued.'],
  })
    .option('--full', 'read everything again, changed or not')
    .option('--organization <id...>', 'only these organizations')
    .option('--collection <id...>', 'only the spaces of these collections, nothing above them')
    .option('--space <id...>', 'only these spaces, nothing above them')
    .option('--kind <name...>', 'only these kinds and those they stand below')
    .option('--pdf', 'keep the PDF of each change request that moved')
    .option(
      '--accept-rights',
      'take the rights of the token as they are now for what they should be: what it may not read lacks from no snapshot',
    )
    .option('--moved', 'the platform has a new address since the last snapshot')
    .option('--max-requests <n>', 'end after so many requests, as partial (walk.maxRequests)')
    .option('--max-duration <time>', 'end after such a time (90s, 30m, 2h), as partial (walk.maxDuration)')
    .option('--plan', 'say how many requests the next walk takes and how long; send none');
  return does<Options>(run, command, async (context, options): Promise<ExitCode> => {
    const { app, screen } = context;
    const flags = flagsOf(options);
    if (options.plan === true) {
      const forecast = await app.planSync(flags);
      await screen.show(forecast, () => forecastView(forecast, app.holder()));
      return 0;
    }
    const unsent = new Map<string, string>();
    try {
      return await walkOnce(context, { ...flags, onUnsent: (channel, why) => void unsent.set(channel, why) });
    } finally {
      if (unsent.size > 0) await screen.note(unsentLine(unsent));
    }
  });
}

type Walking = SyncFlags & Pick<Parameters<App['sync']>[0], 'onUnsent'>;

async function walkOnce({ app, screen, signal }: CommandContext, walking: Walking): Promise<ExitCode> {
  using progress = followSync(screen, app.clock);
  const { onProgress, onExport } = progress;
  const result = await app.sync({ ...walking, onProgress, onExport, signal });
  progress[Symbol.dispose]();
  const extras = { before: result.before, advice: adviceFrom(app, result) };
  await screen.show(syncDocument(result), (look) => `${syncView(result, extras, look)}\n${exportLine(result.export)}`);
  if (result.export.state === 'failed') {
    const { code, message, hint } = result.export.error;
    await screen.fault(code, `Snapshot ${result.snapshot.id} is stored, but its export failed: ${message}`, hint);
    return 1;
  }
  return result.isSound ? 0 : 3;
}

/** @param unsent Why a channel did not take what it was sent, by its name. */
function unsentLine(unsent: ReadonlyMap<string, string>): string {
  const channels = [...unsent].map(([channel, why]) => `${channel} (${why})`).join(', ');
  return `Not told of this walk: ${channels}. Look at notify.… in the settings; a message that reached nobody is sent again with the next walk.`;
}

function adviceFrom(app: App, { snapshot }: SyncResult): string[] {
  using mirror = app.reader();
  return adviceOn(mirror, snapshot, app.config);
}

function idsOf(name: string, given: readonly string[]): string[] {
  return given.map((id) => resourceId(name, id));
}

function flagsOf(options: Options): SyncFlags {
  const { organization, collection, space, kind, maxRequests, maxDuration } = options;
  return {
    full: options.full === true,
    pdfs: options.pdf === true,
    acceptRights: options.acceptRights === true,
    moved: options.moved === true,
    ...(organization ? { organizations: idsOf('--organization', organization) } : {}),
    ...(collection ? { collections: idsOf('--collection', collection) } : {}),
    ...(space ? { spaces: idsOf('--space', space) } : {}),
    ...(kind ? { kinds: kind.map(kindNamed) } : {}),
    ...(maxRequests === undefined ? {} : { maxRequests: wholeNumber('--max-requests', maxRequests, 1) }),
    ...(maxDuration === undefined ? {} : { maxDurationMs: timeSpan('--max-duration', maxDuration, 1) }),
  };
}
