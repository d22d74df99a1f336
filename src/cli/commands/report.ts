import type { Command } from 'commander';
import { createCommand, does, type Run } from '../command.ts';
import { reportView } from '../views/report.ts';

interface Options {
  out?: string;
}

export function reportCommand(run: Run): Command {
  const command = createCommand({
    name: 'report',
    examples: ['report', 'report --out report.html', 'report --json'],
    notes: ['The file needs nothing else: it can be sent, or kept beside the export. It loads nothing from anywhere.'],
  }).option('--out <file>', 'write it as one HTML file with its charts');
  return does<Options>(run, command, async ({ app, screen }, { out }) => {
    const report = await app.report();
    const file = out === undefined ? null : await app.writeReport(report, out);
    await screen.show({ ...report, file }, (look) => reportView(report, file, look));
  });
}
