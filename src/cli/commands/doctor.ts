import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { doctorView } from '../views/doctor.ts';

export function doctorCommand(run: Run): Command {
  const command = createCommand({
    name: 'doctor',
    summary: 'Look for what is wrong: configuration, platform, token, rights, clock, disk, lease, mirror.',
    examples: ['doctor', 'doctor --json'],
    notes: ['Exit code 1: something would stop a walk.'],
  });
  return does(run, command, async ({ app, screen, signal }): Promise<ExitCode> => {
    const findings = await app.examine(signal);
    const healthy = findings.every(({ state }) => state !== 'bad');
    await screen.show({ healthy, findings }, (look) => doctorView(findings, look));
    return healthy ? 0 : 1;
  });
}
