import type { Command } from 'commander';
import type { ExitCode } from '../../base/index.ts';
import { coverage } from '../../contract/index.ts';
import { createCommand, does, type Run } from '../command.ts';
import { coverageView } from '../views/coverage.ts';
import { doctorView } from '../views/doctor.ts';
import { driftView } from '../views/drift.ts';

interface Options {
  coverage?: boolean;
  drift?: boolean;
}

export function doctorCommand(run: Run): Command {
  const command = createCommand({
    name: 'doctor',
    examples: ['doctor', 'doctor --json', 'doctor --coverage --drift', 'doctor --drift'],
    notes: ['Exit code 1: something would stop a walk.'],
  })
    .option('--coverage', 'list every read of the contract: mirrored, derived from another, or why it is not mirrored')
    .option('--drift', 'list the fields and values that the platform sent and the contract does not know');
  return does<Options>(run, command, async ({ app, screen, signal }, options): Promise<ExitCode> => {
    if (options.coverage === true || options.drift === true) {
      const operations = options.coverage === true ? coverage() : null;
      const drift = options.drift === true ? await app.drift() : null;
      const document = { ...(operations && { operations }), ...(drift && { drift }) };
      await screen.show(document, (look) =>
        [...(operations ? [coverageView(operations, look)] : []), ...(drift ? [driftView(drift, look)] : [])].join(
          '\n\n',
        ),
      );
      return 0;
    }
    const found = await app.examine(signal);
    const findings = found.map((one) => ({ ...one, hint: one.hint && screen.look.named(one.hint) }));
    const healthy = findings.every(({ state }) => state !== 'bad');
    await screen.show({ healthy, findings }, (look) => doctorView(findings, look));
    return healthy ? 0 : 1;
  });
}
