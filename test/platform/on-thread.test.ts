// While a drill took in a space of thousands of pages, the daemon answered nobody for seconds, and did not end on SIGTERM either: the
// embedded platform that a drill restores into has a thread of its own.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createLogger, silentLogger, type AppError } from '../../src/base/index.ts';
import { startOnThread } from '../../src/platform/index.ts';
import { testFolder, type TestFolder } from '../support/cli.ts';

const people = [
  { displayName: 'Ada', email: 'ada@example.com' },
  { displayName: 'Admin', email: 'admin@example.com' },
  { displayName: 'Ada again', email: 'ada@example.com' },
];

type Options = Parameters<typeof startOnThread>[0];

function options(folder: TestFolder, more: Partial<Options> = {}): Options {
  const fixed = { organizations: [], takesUnknownValues: true, indexesLate: true, largestFile: 0 } as const;
  const log = silentLogger();
  const onEnd = (error: AppError): void => expect.fail(`it ended: ${error.message}`);
  return { ...fixed, log, onEnd, database: folder.at('platform.db'), ...more };
}

/** A thread that stands at once, and then does what is told. */
function standing(then: string): URL {
  const told = "postMessage({ standing: { url: '', token: '', organizations: [] } });";
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; parentPort.${told} ${then}`)}`,
  );
}

function endOf(folder: TestFolder, program: URL): Promise<AppError> {
  return new Promise((resolve, reject) => {
    const onEnd = (error: AppError): void => resolve(error);
    startOnThread(options(folder, { program, onEnd })).catch(reject);
  });
}

describe('an embedded platform on a thread of its own', () => {
  it('answers while this thread does not', async () => {
    using folder = testFolder();
    await using platform = await startOnThread(options(folder));
    const asking = `fetch(${JSON.stringify(`${platform.url}/v1/orgs`)}, { headers: { authorization: 'Bearer ${platform.token}' } })
      .then(({ status }) => console.log(status))`;
    const { stdout } = spawnSync(process.execPath, ['--eval', asking], { encoding: 'utf8', timeout: 50_000 });
    expect(stdout).toBe('200\n');
  });

  it('holds the organizations that were wanted, with their people, each once', async () => {
    using folder = testFolder();
    const organizations = [
      { title: 'One', people },
      { title: 'Two', people: [] },
    ];
    await using platform = await startOnThread(options(folder, { organizations }));
    const headers = { authorization: `Bearer ${platform.token}` };
    const ask = async (path: string): Promise<unknown> => (await fetch(platform.url + path, { headers })).json();
    const [one = '', two = ''] = platform.organizations;
    expect(await ask(`/v1/orgs/${one}`)).toMatchObject({ title: 'One' });
    expect(await ask(`/v1/orgs/${two}`)).toMatchObject({ title: 'Two' });
    const { items } = (await ask(`/v1/orgs/${one}/members`)) as { items: { user: { email: string } }[] };
    expect(items.map(({ user }) => user.email).toSorted()).toEqual(['ada@example.com', 'admin@example.com']);
  });

  it('says why it cannot begin, by the code of that', async () => {
    using folder = testFolder();
    const database = folder.at('nowhere', 'platform.db');
    await expect(startOnThread(options(folder, { database }))).rejects.toMatchObject({ name: 'AppError' });
    const program = new URL('missing-thread.js', import.meta.url);
    await expect(startOnThread(options(folder, { program }))).rejects.toMatchObject({ code: 'DM_PROGRAM_CHANGED' });
  });

  it('tells when it ends by itself: whoever asked it would try it again for long', async () => {
    using folder = testFolder();
    const thrown = await endOf(folder, standing("throw new Error('no memory');"));
    expect(thrown).toMatchObject({ code: 'DM_INTERNAL', message: expect.stringContaining('no memory') as string });
    expect(await endOf(folder, standing('process.exit(3);'))).toMatchObject({ code: 'DM_INTERNAL' });
  });

  it('logs where the process does', async () => {
    using folder = testFolder();
    const line = { level: 'warn', message: 'not imported', fields: { space: 's1' } };
    const program = standing(`parentPort.postMessage({ line: ${JSON.stringify(line)} });`);
    const logged = await new Promise<string>((write, reject) => {
      const log = createLogger({ level: 'warn', pretty: false, destination: { write } });
      startOnThread(options(folder, { program, log, onEnd: () => undefined })).catch(reject);
    });
    expect(JSON.parse(logged)).toMatchObject({ level: 'warn', msg: 'not imported', space: 's1' });
  });
});
