import type { Command } from 'commander';
import { toAppError } from '../../base/index.ts';
import { announce } from '../announce.ts';
import { createCommand, does, doesForAllUntilStopped, type Run } from '../command.ts';
import { openDaemons, type Daemons } from '../daemons.ts';
import { untilStopped } from '../until-stopped.ts';
import { readApart, watchSecrets } from '../watch-secrets.ts';

export function daemonCommand(run: Run): Command {
  const command = createCommand({
    name: 'daemon',
    examples: ['daemon', 'daemon --config config/docmirror.yaml'],
    notes: [
      'Catches up a run that was missed. SIGTERM or Ctrl-C ends it; a walk that is cut off is continued later.',
      'SIGHUP reads the configuration anew: schedules, limits, tokens and notifications, from the next job on. So does, within a minute, a file of a token that was written anew.',
      'So do platforms that the list has new, and those that it has no more, which end after their present job.',
      'With a list of platforms in the configuration it runs them all, or the one that --platform names.',
    ],
  });
  return doesForAllUntilStopped(run, command, async (context, hangups) => {
    const { app, signal, readConfigs } = context;
    let { configs } = context;
    await using daemons = await openDaemons(app, configs);
    await announce(context, documentOf(daemons), () => pageLines(daemons));
    context.stayUp();
    hangups.heed(() => daemons.reload(() => (configs = readConfigs())));
    const refused = (platform: string, error: unknown): void =>
      app.log.error(
        { platform, err: toAppError(error) },
        'the configuration of this platform is refused, its old one stays',
      );
    using _rotating = watchSecrets({
      clock: app.clock,
      configs: () => configs,
      changed: (files) => {
        app.log.info({ files }, 'a secret was written anew, the configuration is read anew');
        daemons.reload(() => (configs = readApart(configs, { read: readConfigs, refused })));
      },
    });
    await daemons.run(signal);
    await untilStopped(context);
  });
}

/** With one platform, its page alone. */
function documentOf({ pages }: Daemons): Record<string, unknown> {
  const [only] = pages;
  return pages.length === 1 && only?.name === null ? { url: only.url } : { pages };
}

function pageLines({ pages }: Daemons): string {
  return pages.length === 0
    ? 'No status page yet: the log says what is in the way, and it is tried again each minute.'
    : pages.map(pageLine).join('\n');
}

function pageLine({ name, url }: Daemons['pages'][number]): string {
  return name === null ? `Status page: ${url}` : `Status page of ${name}: ${url}`;
}

export function serveCommand(run: Run): Command {
  const command = createCommand({
    name: 'serve',
    examples: ['serve', 'serve --data-dir /mnt/backup/data'],
    notes: [
      'The replica answers GET /v1/… to whoever sends replica.token (DOCMIRROR_REPLICA_TOKEN) as "Authorization: Bearer".',
      'It shows the last complete snapshot, or the one that ?at= or the header docmirror-at names: a number or a time.',
    ],
  });
  return does(run, command, async (context) => {
    await using page = await context.app.openStatusPage();
    context.stayUp();
    await announce(context, { url: page.url }, () => `Status page: ${page.url}`);
    await untilStopped(context);
  });
}
