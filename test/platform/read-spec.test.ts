import { describe, expect, it } from 'vitest';
import { createSpecCheck, parseSpec } from '../../src/platform/openapi/read-spec.ts';

const WHOLE = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: {} };
const NO_PATHS = { openapi: '3.0.3', info: { title: 'Pets', version: '1' } };
const NEWER = { ...WHOLE, openapi: '3.1.0' };
const NONE = { openapi: 3, info: null };

function nested(depth: number): Record<string, unknown> {
  let inner: Record<string, unknown> = {};
  for (let level = 0; level < depth; level++) inner = { inner };
  return { ...WHOLE, 'x-inner': inner };
}

describe('platform/read-spec', () => {
  it('reads no text that is no YAML: one with a wrong line, or two documents, was taken for what could be read of it', () => {
    const text = 'openapi: 3.0.3\ninfo: { title: Pets, version: "1" }\npaths: {}\n';
    expect(parseSpec(text)).toEqual(WHOLE);
    expect(parseSpec(`${text}paths: {}\n`)).toEqual(WHOLE);
    for (const more of ['x-a: "never closed', 'x-a: b: c', '\tx-a: b', '---\nother: document', 'x-a: *nobody', '}'])
      expect(parseSpec(`${text}${more}`), more).toBeUndefined();
  });

  it('reads none whose names are maps within maps: the platform, and each drill, stood still at it', () => {
    const text = 'openapi: 3.0.3\ninfo: { title: Pets, version: "1" }\npaths: {}\n';
    expect(parseSpec(`${text}x-a: ${'{'.repeat(400)}${'}: 1'.repeat(400)}`)).toBeUndefined();
    expect(parseSpec(`${text}x-a:\n  ${'? '.repeat(5000)}`)).toBeUndefined();
    expect(parseSpec(`${text}200: ok\n"a b": 1\n`)).toEqual({ ...WHOLE, 200: 'ok', 'a b': 1 });
  });

  it('says the same of a specification, whatever was checked before it or is being checked', async () => {
    const check = createSpecCheck();
    const all = [WHOLE, NO_PATHS, NEWER, NONE, nested(20_000), WHOLE, NONE, NEWER, NO_PATHS, WHOLE];
    const expected = [true, false, true, false, false, true, false, true, false, true];
    expect(await Promise.all(all.map(check))).toEqual(expected);
    const inTurn: boolean[] = [];
    for (const one of all) inTurn.push(await check(one));
    expect(inTurn).toEqual(expected);
  });
});
