// A mirror made of hostile bodies, and whoever reads it: the replica with hostile parameters, the status pages, the export, a plan of a
// restore. Each answers, and none goes round for ever.
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atOnce, Secret, seededRandom, silentLogger } from '../../src/base/index.ts';
import { operationNames, operationOf, pathParameters } from '../../src/contract/index.ts';
import { exportSnapshot } from '../../src/export/index.ts';
import { createReplica, type Replica } from '../../src/replica/index.ts';
import { noRuntimeState } from '../../src/status/index.ts';
import { createStatusApp } from '../../src/status/status-app.ts';
import { testFolder } from '../support/cli.ts';
import { createTestMirror, type PageSpec, type TestMirror } from '../support/mirror-builder.ts';
import { HOSTILE_NAMES, hostileText } from './hostile-values.ts';
import { runs, SEED } from './runs.ts';

const TOKEN = 'tok_of_the_replica';
const READS = operationNames.filter((name) => operationOf(name).method === 'GET');
const DEPTH = 300;

let test: TestMirror;

/** Names as people may give them, ids as a mirror can hold them, and parents that go round. */
beforeAll(async () => {
  test = await createTestMirror();
  const texts = HOSTILE_NAMES.map((name) => `# ${name}\n\n[${name}](${name}) ![${name}](${name})\n\n${name}`);
  const pages = HOSTILE_NAMES.map((title, nth) => ({
    id: `p${nth}`,
    title,
    text: texts[nth] ?? '',
    body: { path: title, slug: title, description: title, emoji: title, icon: title, cover: title, layout: title },
  }));
  const deep = Array.from({ length: DEPTH }, (_, nth) => nth).reduceRight<PageSpec[]>(
    (pages, nth) => [{ id: `d${nth}`, title: HOSTILE_NAMES[nth % HOSTILE_NAMES.length] ?? '', text: '', pages }],
    [],
  );
  const space = {
    id: 's',
    title: '../..',
    parent: 'c1',
    pages,
    files: HOSTILE_NAMES.map((name, nth) => ({ id: `f${nth}`, name, bytes: name })),
    comments: HOSTILE_NAMES.map((markdown, nth) => ({ id: `k${nth}`, markdown })),
    requests: HOSTILE_NAMES.map((subject, nth) => ({ id: `r${nth}`, number: nth, subject })),
  };
  await test.add({
    organizations: [{ id: 'o', title: 'CON' }],
    collections: [
      { id: 'c1', title: 'One', parent: 'c2' },
      { id: 'c2', title: 'Two', parent: 'c1' },
      { id: 'c3', title: 'Itself', parent: 'c3' },
    ],
    spaces: [space, { id: 't', title: '', parent: 'c3', pages: deep }],
  });
});

afterAll(() => test[Symbol.dispose]());

describe(`fuzz/reading (seed ${SEED})`, () => {
  let replica: Replica;

  beforeAll(() => {
    const { dataDir } = test;
    const options = { dataDir, clock: test.mirror.clock, random: seededRandom(1), log: silentLogger() };
    replica = createReplica({ ...options, tokens: [Secret.of(TOKEN)] });
  });

  const held = fc.constantFrom('o', 's', 't', 'c1', 'c2', 'c3', 'p1', 'f1', 'k1', 'r1', 'd1');
  const word = fc.oneof(
    { weight: 2, arbitrary: held },
    hostileText,
    fc.constantFrom('1', '-1', '1e99', 'true', 'null', 'asc'),
  );

  it.each(READS)('answers %s whatever its parameters are, and never fails', (name) => {
    const { path, query } = operationOf(name);
    const known = fc.constantFrom(
      ...Object.keys(query?.properties ?? { at: null }),
      'at',
      'page',
      'limit',
      '__proto__',
    );
    const asked = fc.record({
      ids: fc.tuple(...pathParameters(path).map(() => word)),
      query: fc.array(fc.tuple(known, word), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(asked, ({ ids, query: pairs }) => {
        const left = [...ids];
        const filled = path.replaceAll(/\{\w+\}/g, () => escape(left.shift() ?? ''));
        const target = `${filled}?${pairs.map(([key, value]) => `${escape(key)}=${escape(value)}`).join('&')}`;
        const header = (wanted: string) => (wanted === 'authorization' ? `Bearer ${TOKEN}` : undefined);
        const { status, text } = atOnce(replica.answer({ method: 'GET', target, header, base: 'http://replica' }));
        expect([target, status]).toEqual([target, expect.toSatisfy((code: number) => code < 500 || code === 501)]);
        if (text !== null) expect(() => JSON.parse(text) as unknown).not.toThrow();
      }),
      { seed: SEED, numRuns: runs(5) },
    );
  });

  const PAGES = [
    '/',
    '/report',
    '/browse',
    '/browse/spaces/s',
    '/browse/spaces/t',
    '/browse/changes',
    '/metrics',
    '/readyz',
    ...HOSTILE_NAMES.flatMap((_, nth) => [
      `/browse/spaces/s/pages/p${nth}`,
      `/browse/spaces/s/change-requests/r${nth}`,
    ]),
    `/browse/spaces/t/pages/d${DEPTH - 1}`,
  ];

  function visitor() {
    const { dataDir } = test;
    const options = { dataDir, clock: test.mirror.clock, log: silentLogger(), live: () => noRuntimeState };
    const app = createStatusApp({ ...options, freshness: { snapshotMs: 1, drillMs: 1 } });
    return async (path: string): Promise<Response> => app.request(path);
  }

  it('shows every page of the browser', async () => {
    const visit = visitor();
    for (const path of PAGES) {
      const answer = await visit(path);
      expect([path, answer.status]).toEqual([path, path === '/readyz' ? 503 : 200]);
      await answer.text();
    }
  });

  it('answers any address of the browser', async () => {
    const visit = visitor();
    const parts = fc.array(
      fc.oneof(fc.constantFrom('browse', 'spaces', 'pages', 'files', 'search', 'changes', 'detail'), word),
      { maxLength: 5 },
    );
    const pairs = fc.array(fc.tuple(fc.constantFrom('at', 'q', 'from', 'to', 'kind', 'key', 'page'), word), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(parts, pairs, async (path, query) => {
        const target = `/${path.map(escape).join('/')}?${query.map((pair) => pair.map(escape).join('=')).join('&')}`;
        const { status } = await visit(target);
        expect([target, status === 503 || status < 500]).toEqual([target, true]);
      }),
      { seed: SEED, numRuns: runs(35) },
    );
  });

  it('exports it below its folder, collections that go round and pages hundreds deep included', async () => {
    using above = testFolder();
    await exportSnapshot({ mirror: test.mirror, snapshot: 1, to: above.at('content') });
    expect(readdirSync(above.path)).toEqual(['content']);
  });
});

function escape(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}
