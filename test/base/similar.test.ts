import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/base/index.ts';

const KNOWN = ['show', 'accept', 'pin', 'unpin'];

describe('base/didYouMean', () => {
  it.each([
    ['shwo', ' (Did you mean show?)'],
    ['accpt', ' (Did you mean accept?)'],
    ['upin', ' (Did you mean one of pin, unpin?)'],
    ['nonsense', ''],
    ['', ''],
    ['x'.repeat(100_000), ''],
  ])('of %.10s says %j', (word, said) => {
    expect(didYouMean(word, KNOWN)).toBe(said);
  });
});
