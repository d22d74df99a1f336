import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { Subdomain } from '../../src/contract/schemas/people.ts';

describe('contract/schemas', () => {
  it('knows the subdomain, which no operation reads, with its bounds', () => {
    const subdomain = Compile(Subdomain);
    const target = { type: 'organization', organization: 'o1' };
    const valid = { object: 'subdomain', subdomain: 'docs-1', target, isActive: true };
    expect(subdomain.Check(valid)).toBe(true);
    for (const name of ['ab', '-docs', 'docs-', 'Docs', 'x'.repeat(33)]) {
      expect([name, subdomain.Check({ ...valid, subdomain: name })]).toEqual([name, false]);
    }
  });
});
