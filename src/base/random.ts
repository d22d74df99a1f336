// The one home of chance: everything else is handed a Random.
import { randomBytes, randomInt } from 'node:crypto';

/** Chance as a dependency. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, max); `max` is a whole number from 1. */
  int(max: number): number;
  bytes(count: number): Buffer;
  /** A name of `length` (20) letters and digits. */
  id(length?: number): string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 20;
const UINT32 = 2 ** 32;

/** Unpredictable chance, good enough for tokens. */
export function systemRandom(): Random {
  const int = (max: number): number => randomInt(max);
  return {
    next: () => randomBytes(4).readUInt32BE(0) / UINT32,
    int,
    bytes: (count) => randomBytes(count),
    id: (length = ID_LENGTH) => makeId(int, length),
  };
}

/** The same sequence for the same seed, on every machine. Never for tokens. */
export function seededRandom(seed: number): Random {
  const next = mulberry32(seed);
  const int = (max: number): number => Math.floor(next() * max);
  return {
    next,
    int,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => int(256))),
    id: (length = ID_LENGTH) => makeId(int, length),
  };
}

function makeId(int: (max: number) => number, length: number): string {
  let id = '';
  for (let i = 0; i < length; i++) id += ALPHABET.charAt(int(ALPHABET.length));
  return id;
}

// Mulberry32: 32 bits of state, well spread, and defined only by integer operations.
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / UINT32;
  };
}
