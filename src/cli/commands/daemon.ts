import type { Command } from 'commander';
import { requirePlatform } from '../../config/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { SUMMARIES } from '../summaries.ts';
import { untilStopped } from '../until-stopped.ts';

export function daemonCommand(run: Run): Command {
  const command = createCommand({
    name: 'daemon',
    summary: SUMMARIES.daemon,
    examples: ['daemon', 'daemon --config config/docmirror.yaml'],
    notes: ['Catches up a run that was missed. SIGTERM or Ctrl-C ends it; a walk that is cut off is continued later.'],
  });
  return does(run, command, async (context) => {
    const { app, screen, signal } = context;
    requirePlatform(app.config);
    await using daemon = await app.openDaemon();
    await screen.show({ url: daemon.url }, () => `Status page: ${daemon.url}`);
    context.stayUp();
    await daemon.run(signal);
    await untilStopped(context);
  });
}

export function serveCommand(run: Run): Command {
  const command = createCommand({
    name: 'serve',
    summary: SUMMARIES.serve,
    examples: ['serve'],
  });
  return does(run, command, async (context) => {
    await using page = await context.app.openStatusPage();
    context.stayUp();
    await context.screen.show({ url: page.url }, () => `Status page: ${page.url}`);
    await untilStopped(context);
  });
}
