import type { Command } from 'commander';
import { requirePlatform } from '../../config/index.ts';
import { createCommand, does, logFully, type Run } from '../command.ts';
import { untilStopped } from '../until-stopped.ts';

export function daemonCommand(run: Run): Command {
  const command = createCommand({
    name: 'daemon',
    summary: 'Keep the schedule: walks and drills, with the status page and metrics.',
    examples: ['daemon', 'daemon --config config/docmirror.yaml'],
    notes: ['Catches up a run that was missed. SIGTERM or Ctrl-C ends it; a walk that is cut off is continued later.'],
  });
  return does(run, command, async ({ app, screen, signal }) => {
    requirePlatform(app.config);
    await using daemon = await app.openDaemon();
    await screen.show({ url: daemon.url }, () => `Status page: ${daemon.url}`);
    logFully(app);
    await daemon.run(signal);
    await untilStopped(signal);
  });
}

export function serveCommand(run: Run): Command {
  const command = createCommand({
    name: 'serve',
    summary: 'Serve the status page without the schedule. The replica API answers 501 in this version.',
    examples: ['serve'],
  });
  return does(run, command, async ({ app, screen, signal }) => {
    await using page = await app.openStatusPage();
    logFully(app);
    await screen.show({ url: page.url }, () => `Status page: ${page.url}`);
    await untilStopped(signal);
  });
}
