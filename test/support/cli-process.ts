// A process that runs one command line of the built program after the other, as `standing-cli.ts` asks for them: what every command
// loads is compiled once for all of them. Each runs the program from its first line, with arguments, environment and folder of its own.
import { pathToFileURL } from 'node:url';
import type { Asked } from './standing-cli.ts';

const [, , main = ''] = process.argv;
const exit = process.exit.bind(process);
// The program ends its process a while after a command that left something open; this one is needed for the next command.
process.exit = (() => undefined) as unknown as typeof process.exit;
process.on('disconnect', () => exit(0));

let runs = 0;
process.on('message', (asked: Asked) => {
  void perform(asked).then((code) => {
    // On the streams themselves, so that it comes after all that the command wrote there.
    process.stdout.write(asked.end);
    process.stderr.write(asked.end);
    process.send?.(code);
  });
});

async function perform({ args, env, cwd }: Asked): Promise<number> {
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  runs += 1;
  // Another address each time: a module of the same one would not run again.
  await import(`${pathToFileURL(main).href}?${runs}`);
  const code = Number(process.exitCode);
  process.exitCode = undefined;
  return code;
}
