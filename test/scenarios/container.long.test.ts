// The container, as far as it goes without an engine: its steps are followed on this machine, with what they would copy.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';
import { createRun } from '../../src/cli/command.ts';
import { loadConfig, settingsTable } from '../../src/config/index.ts';
import { testFolder } from '../support/cli.ts';
import { commandsOf, copiesOf, environmentOf, stagesOf, textsOf, wordsOf } from '../support/dockerfile.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const [build, final] = stagesOf(readFileSync('Dockerfile', 'utf8'));
const folder = testFolder();
afterAll(() => folder[Symbol.dispose]());

const INIT = ['tini', '--'];

/** These fetch, compile or tidy up; what they leave is stood in for by what is installed here. */
const BY_NETWORK = /^(apt-get (update|install)\b|rm -rf \/var\/lib\/apt|npm (ci|rebuild|prune)\b)/;

/** What `npm prune --omit=dev` leaves: the packages that the lock file does not call development's. */
function linkProductionPackages(to: string): void {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const isOwn = path.lastIndexOf('node_modules/') === 0;
    if (!isOwn || dev === true || !existsSync(path)) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    symlinkSync(resolve(path), join(to, path));
  }
}

/** The folder as the final stage has it. */
function assemble(): string {
  const [built, image] = [folder.at('build'), folder.at('app')];
  mkdirSync(built);
  for (const { sources } of copiesOf(build))
    for (const one of sources) cpSync(one, join(built, one), { recursive: true });
  symlinkSync(resolve('node_modules'), join(built, 'node_modules'));
  for (const command of commandsOf(build).filter((one) => !BY_NETWORK.test(one))) {
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: built });
    expect([command, status, String(stderr)]).toEqual([command, 0, expect.anything()]);
  }
  mkdirSync(image);
  for (const { from, sources } of copiesOf(final)) {
    for (const one of sources.filter((source) => !source.endsWith('tini-static'))) {
      if (one.endsWith('node_modules')) linkProductionPackages(image);
      else
        cpSync(from === null ? one : join(built, one.replace('/app/', '')), join(image, one.replace('/app/', '')), {
          recursive: true,
        });
    }
  }
  return image;
}

/** The command by the name that hints give it, which no npx is needed for. */
function linkedCommand(image: string): string {
  const [, , target = '', name = ''] =
    commandsOf(final)
      .find((command) => command.startsWith('ln -s '))
      ?.split(' ') ?? [];
  expect(name).toBe('/usr/local/bin/docmirror');
  const link = folder.at('docmirror');
  symlinkSync(target.replace('/app', image), link);
  return link;
}

interface Log {
  readonly ended: Promise<number | null>;
  until(pattern: RegExp): Promise<void>;
}

function logOf(process: ChildProcess): Log {
  let text = '';
  const ended = new Promise<number | null>((done) => process.once('close', done));
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((done, failed) => {
      const look = (): void => (pattern.test(text) ? done() : undefined);
      process.stderr?.on('data', look);
      void ended.then(() => failed(new Error(`ended before ${pattern}: ${text}`)));
      look();
    });
  process.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { ended, until };
}

describe('Dockerfile', () => {
  it('builds in one stage and runs in another, on the same slim image of an LTS release, without build tools', () => {
    expect([build?.image, build?.name]).toEqual([final?.image, 'build']);
    expect(final?.image).toMatch(/^node:(22|24)-\w+-slim$/);
    expect(commandsOf(final).join('\n')).not.toMatch(/apt-get|npm|g\+\+|make|python/);
  });

  it('begins with an init, which the build installs: what is process 1 loses each signal that it does not handle', () => {
    expect(commandsOf(build).find((command) => command.startsWith('apt-get install'))).toMatch(/ tini$/);
    expect(copiesOf(final)).toContainEqual({ from: 'build', sources: ['/usr/bin/tini-static'], to: '/usr/bin/tini' });
    expect(wordsOf(textsOf(final, 'ENTRYPOINT')[0]).slice(0, 2)).toEqual(INIT);
  });

  it('copies only what is there and what is not kept from it', () => {
    const kept = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const own = [...copiesOf(build), ...copiesOf(final)]
      .filter(({ from }) => from === null)
      .flatMap(({ sources }) => sources);
    expect(own.filter((one) => !existsSync(one) || !kept.includes(one))).toEqual([]);
    expect(copiesOf(final).flatMap(({ from }) => (from === null ? [] : [from]))).toEqual(['build', 'build', 'build']);
  });

  it('runs as somebody who is not root, and keeps its data on a volume of its own', () => {
    expect(textsOf(final, 'USER')).toEqual(['node']);
    const names = final?.instructions.map(({ name }) => name) ?? [];
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
    expect(textsOf(final, 'VOLUME')).toEqual([environmentOf(final)['DOCMIRROR_DATA_DIR']]);
    // A new volume takes the mode of the folder, which `doctor` warns of when others may enter it.
    expect(commandsOf(final)).toEqual(expect.arrayContaining(['mkdir -m 700 /data', 'chown node:node /data']));
  });

  it('has in its environment only what the settings know', () => {
    const known = settingsTable().map(({ environment }) => environment);
    const own = Object.keys(environmentOf(final)).filter((name) => name.startsWith('DOCMIRROR_'));
    expect([own.length > 0, own.filter((name) => !known.includes(name))]).toEqual([true, []]);
    expect(environmentOf(final)).toHaveProperty('TZ');
  });

  it('builds, starts as it is, and is healthy when the mirror is fresh and proven, not before', async () => {
    const image = assemble();
    await using platform = await startSeeded();
    // Below those that the system gives to connections, which others have open meanwhile.
    const port = String(20_000 + (process.pid % 12_000));
    const env = {
      ...environmentOf(final),
      PATH: process.env['PATH'] ?? '',
      DOCMIRROR_DATA_DIR: folder.at('data'),
      DOCMIRROR_STATUS_PORT: port,
      DOCMIRROR_BASE_URL: platform.url,
      DOCMIRROR_TOKEN: platform.token,
    };
    const health = wordsOf(textsOf(final, 'HEALTHCHECK')[0]);
    const isHealthy = (): Promise<number | null> =>
      new Promise((done) => {
        spawn(health[0] ?? '', health.slice(1), { env, cwd: image, stdio: 'ignore' }).once('close', done);
      });
    expect(await isHealthy()).toBe(1);
    // The init is not on every machine.
    const entry = wordsOf(textsOf(final, 'ENTRYPOINT')[0]).slice(INIT.length);
    const words = [...entry, ...wordsOf(textsOf(final, 'CMD')[0])];
    platform.faults = [{ operation: 'getPage', effect: { delayMs: 1000 } }];
    const daemon = spawn(words[0] ?? '', words.slice(1), { env, cwd: image, stdio: ['ignore', 'ignore', 'pipe'] });
    const log = logOf(daemon);
    try {
      await log.until(/"job":"sync","msg":"job begins"/);
      expect(await isHealthy()).toBe(1);
      platform.faults = [];
      await log.until(/"job":"drill","msg":"job done"/);
      expect(await isHealthy()).toBe(0);
    } finally {
      daemon.kill('SIGTERM');
      await log.ended;
    }
    const once = spawn(words[0] ?? '', [words[1] ?? '', 'sync'], {
      env,
      cwd: image,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    expect(await logOf(once).ended).toBe(0);
    const said = spawnSync(linkedCommand(image), ['status'], { env, cwd: folder.path, encoding: 'utf8' });
    expect([said.status, said.stdout.split('\n')[0]]).toEqual([0, 'Ready']);
    // The build alone takes its time on a busy machine.
  }, 120_000);
});

interface Container {
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
}

interface Pod {
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly enableServiceLinks?: boolean;
  readonly containers: readonly Container[];
  readonly volumes: readonly Readonly<Record<string, unknown>>[];
}

interface Manifest {
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: Pod };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } };
  };
}

const VARIABLES = new Set(settingsTable().map(({ environment }) => environment));
VARIABLES.add('TZ');

/** Reads a configuration with what is set beside it, as the program would; secrets are files that are there. */
function load(yaml: string, environment: Record<string, string>): ReturnType<typeof loadConfig> {
  const readFile = (path: string): string => (path.endsWith('.yaml') ? yaml : 'tok_example');
  return loadConfig({ flags: {}, environment, cwd: '/app', readFile });
}

describe('config/compose.yaml', () => {
  const compose = parse(readFileSync('config/compose.yaml', 'utf8')) as {
    services: {
      docmirror: { environment: Record<string, string>; secrets: string[]; volumes: string[]; read_only: boolean };
    };
    configs: Record<string, Record<string, string>>;
    secrets: Record<string, Record<string, string>>;
    volumes: Record<string, unknown>;
  };
  const { environment, secrets, volumes } = compose.services.docmirror;

  it('names settings that exist, and gives a configuration that loads', () => {
    expect(Object.keys(environment).filter((name) => !VARIABLES.has(name))).toEqual([]);
    const file = join('config', compose.configs['docmirror']?.['file'] ?? '');
    const config = load(readFileSync(file, 'utf8'), {
      ...environment,
      DOCMIRROR_PING_SUCCESS: '',
      DOCMIRROR_PING_FAILURE: '',
    });
    expect([config.platform.token !== null, config.status.token !== null, config.retention.policy?.daily]).toEqual([
      true,
      true,
      14,
    ]);
  });

  // Compose copies what is no file into the container, which a read-only root refuses: the container would not even be created.
  it('gives the container, whose root is read-only, its configuration and secrets as files alone', () => {
    expect(compose.services.docmirror.read_only).toBe(true);
    const given = [...Object.values(compose.configs), ...Object.values(compose.secrets)];
    expect(given.map((one) => Object.keys(one))).toEqual(given.map(() => ['file']));
  });

  it('has every secret and volume that it uses, and keeps the data directory on a volume', () => {
    expect(secrets.filter((name) => !Object.hasOwn(compose.secrets, name))).toEqual([]);
    expect(volumes).toEqual([`docmirror-data:${environmentOf(final)['DOCMIRROR_DATA_DIR']}`]);
    expect(Object.keys(compose.volumes)).toEqual(['docmirror-data']);
  });
});

describe('config/kubernetes.yaml', () => {
  const text = readFileSync('config/kubernetes.yaml', 'utf8');
  const documents = parseAllDocuments(text).map((one) => one.toJS() as Manifest);
  const kind = (name: string): Manifest => documents.find((one) => one.kind === name) ?? { kind: name };
  const settings = kind('ConfigMap').data?.['docmirror.yaml'] ?? '';
  const none: Pod = { securityContext: { runAsNonRoot: false }, containers: [], volumes: [] };
  const pods: [string, Pod][] = [
    ['Deployment', kind('Deployment').spec?.template?.spec ?? none],
    ['CronJob', kind('CronJob').spec?.jobTemplate?.spec.template.spec ?? none],
  ];

  it.each(pods)(
    '%s names settings that exist, mounts what it has, and is not root',
    (_name, { securityContext, containers, volumes }) => {
      const [{ env = [], volumeMounts = [] } = {}] = containers;
      expect(env.filter(({ name }) => !VARIABLES.has(name))).toEqual([]);
      const config = load(settings, Object.fromEntries(env.map(({ name, value }) => [name, value])));
      expect([config.platform.token !== null, config.retention.policy?.weekly]).toEqual([true, 8]);
      expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map((one) => one['name']));
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain(environmentOf(final)['DOCMIRROR_DATA_DIR']);
      expect(securityContext.runAsNonRoot).toBe(true);
    },
  );

  it.each(pods)('%s is given no address of a Service as a setting, such as DOCMIRROR_STATUS_PORT', (_name, pod) => {
    expect(pod.enableServiceLinks).toBe(false);
    const given = { DOCMIRROR_STATUS_PORT: 'tcp://10.0.0.1:8780' };
    expect(() => load('', given)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('enableServiceLinks: false') as string }) as Error,
    );
  });

  it('asks the port of the status page whether it lives, and runs a command that there is', async () => {
    const [deployed] = pods[0]?.[1].containers ?? [];
    expect(deployed?.ports?.[0]?.containerPort).toBe(load('', {}).status.port);
    expect([deployed?.livenessProbe?.httpGet.path, deployed?.livenessProbe?.httpGet.port]).toEqual([
      '/healthz',
      deployed?.ports?.[0]?.name,
    ]);
    const program = await createProgram(createRun(new AbortController().signal, []));
    const [once] = pods[1]?.[1].containers ?? [];
    expect(program.commands.map((command) => command.name())).toEqual(
      expect.arrayContaining([...(once?.args ?? [''])]),
    );
  });
});
