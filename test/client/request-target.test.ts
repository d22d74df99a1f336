import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestTarget } from '../../src/client/request-target.ts';

const TEMPLATE = '/v1/spaces/{spaceId}/comments/{commentId}';

describe('client/request-target', () => {
  it('keeps every value inside its own path segment', () => {
    const id = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(id, id, (spaceId, commentId) => {
        const target = requestTarget(TEMPLATE, { path: { spaceId, commentId } });
        const segments = new URL(target, 'http://x').pathname.split('/').map(decodeURIComponent);
        expect(segments).toEqual(['', 'v1', 'spaces', spaceId, 'comments', commentId]);
      }),
    );
  });

  it.each([undefined, '', '.', '..', 7, '\ud800'])('refuses %j as a path value', (spaceId) => {
    const path = { spaceId, commentId: 'c' } as unknown as Record<string, string>;
    expect(() => requestTarget(TEMPLATE, { path })).toThrow(expect.objectContaining({ code: 'DM_INTERNAL' }));
  });

  it('repeats a parameter for each item of an array and leaves out what is not given', () => {
    const query = { a: ['x y', 'z&'], b: undefined, c: null, d: false, e: 0, f: '\ud800' };
    expect(requestTarget('/v1/user', { query })).toBe('/v1/user?a=x%20y&a=z%26&d=false&e=0&f=%EF%BF%BD');
  });
});
