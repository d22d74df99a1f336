import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  AppError,
  canonicalJson,
  canonicalPieces,
  formatDuration,
  parseDuration,
  Secret,
  seededRandom,
  sha256,
  systemRandom,
  thousands,
} from '../../src/base/index.ts';

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => [key, reversed(child)]);
  return Object.fromEntries(entries.toReversed());
}

describe('base/words', () => {
  it('separates thousands as people write them', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true })), (number) => {
        fc.pre(!Object.is(number, -0));
        expect(thousands(number)).toBe(number.toLocaleString('en-US'));
      }),
    );
    expect([0, 999, 1000, -1234567].map(thousands)).toEqual(['0', '999', '1,000', '-1,234,567']);
  });
});

describe('base/json', () => {
  it('gives the same text whatever the order of keys, and means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('sorts keys and leaves no spaces', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":null,"d":1}]}');
  });

  it('follows JSON.stringify for what JSON cannot hold', () => {
    const value = { a: undefined, b: [undefined, Number.NaN], c: Secret.of('word'), d: () => 1, e: '\ud800' };
    expect(canonicalJson(value)).toBe(JSON.stringify(value));
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":1}'))).toBe('{"__proto__":{"x":1},"a":1}');
  });

  it('gives a large text in pieces, none of which parts a field from its value', () => {
    const value = { list: Array.from({ length: 9000 }, (_, n) => ({ url: `https://docs.example/${n}?sig=x`, n })) };
    const pieces: string[] = [];
    const last = canonicalPieces(value, (piece) => void pieces.push(piece));
    expect(pieces.length).toBeGreaterThan(3);
    expect([...pieces, last].join('')).toBe(canonicalJson(value));
    expect(pieces.filter((piece) => /(?::|"url"|"n")$/.test(piece))).toEqual([]);
  });

  it('writes a body nested 200,000 deep', () => {
    const text = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it('refuses a cycle and a bigint, and allows one value twice', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => canonicalJson(cycle)).toThrow(AppError);
    expect(() => canonicalJson({ n: 1n })).toThrow(AppError);
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });
});

describe('base/hash', () => {
  it('gives the known digest of the empty text', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256('é')).toBe(sha256(Buffer.from('é')));
  });
});

describe('base/random', () => {
  it('repeats itself for the same seed', () => {
    const draw = (seed: number): unknown[] => {
      const random = seededRandom(seed);
      return [random.next(), random.int(10), random.id(), random.bytes(8).toString('hex')];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('stays in range and makes ids of 20 letters and digits', () => {
    for (const random of [systemRandom(), seededRandom(1)]) {
      for (let i = 0; i < 200; i++) {
        expect(random.next()).toBeLessThan(1);
        expect([0, 1, 2]).toContain(random.int(3));
      }
      expect(random.id()).toMatch(/^[A-Za-z0-9]{20}$/);
      expect(random.id(5)).toHaveLength(5);
      expect(random.bytes(16)).toHaveLength(16);
    }
  });
});

describe('base/secret', () => {
  it('prints as [secret] in every way', () => {
    const secret = Secret.of('word');
    const ways = [String(secret), JSON.stringify({ secret }), inspect({ secret }), Object.values(secret).join()];
    expect(ways.join(' ')).not.toContain('word');
    expect(secret.reveal()).toBe('word');
  });
});

describe('base/duration', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['26h', 93_600_000],
    ['8d', 691_200_000],
    ['1.5s', 1500],
    ['42', 42],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5 minutes', '-1s', '1e3s', 's', '9'.repeat(30)])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  it('reads back what it writes', () => {
    fc.assert(fc.property(fc.nat({ max: 2 ** 40 }), (ms) => parseDuration(formatDuration(ms)) === ms));
  });
});
