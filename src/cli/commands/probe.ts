import type { Command } from 'commander';
import type { Probed } from '../../app.ts';
import type { ExitCode } from '../../base/index.ts';
import { createCommand, doesForAll, type Run } from '../command.ts';
import { oneLine } from '../views/text.ts';

export function probeCommand(run: Run): Command {
  const command = createCommand({
    name: 'probe',
    examples: ['probe', 'probe --config config/docmirror.yaml'],
    notes: [
      'For health checks: it finds the port that the daemon of the data directory has, and shows it status.token unless its probes are open.',
      'With a list of platforms in the configuration it asks for them all, or for the one that --platform names.',
      'Exit code 1: one of them is not ready, does not answer, or is the page of another mirror. To look at the mirror without a daemon: docmirror status.',
    ],
  });
  return doesForAll(run, command, async ({ app, screen, signal, configs }): Promise<ExitCode> => {
    const pages = await Promise.all(
      configs.map(async (config) => {
        await using own = app.withConfig(config);
        return await own.probe(signal);
      }),
    );
    const ready = pages.every((page) => page.ready);
    await screen.show({ ready, pages }, () => pages.map(lineOf).join('\n'));
    return ready ? 0 : 1;
  });
}

function lineOf({ name, url, ready, reasons }: Probed): string {
  const which = name === null ? url : `${name} (${url})`;
  return oneLine(ready ? `${which}: ready` : `${which}: not ready: ${reasons.join('; ')}`);
}
