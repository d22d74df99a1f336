// The operations by which a walk reads what an organization has besides content, under every fault; see the matrix in test/support.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationMatrix } from '../support/changing-worlds.ts';
import { effectsOn, EVERY_OPERATION, ORGANIZATION_OPERATIONS, type FaultMatrix } from '../support/fault-matrix.ts';
import { rowsOf } from '../support/state.ts';

let matrix: FaultMatrix;

beforeAll(async () => {
  matrix = await organizationMatrix();
});

afterAll(() => matrix[Symbol.asyncDispose]());

describe('walker/faults, organization', () => {
  it('covers every operation that a walk of this world calls', async () => {
    const called = await matrix.called();
    expect(called).toEqual(expect.arrayContaining([...ORGANIZATION_OPERATIONS]));
    expect(called.filter((name) => !EVERY_OPERATION.has(name))).toEqual([]);
  });

  it('holds every kind of an organization before the faults', () => {
    const held = new Set(Object.keys(matrix.before).map((key) => key.split(' ', 1)[0]));
    for (const kind of [
      'invite',
      'saml-provider',
      'openapi-spec-content',
      'share-link',
      'published-site',
      'team-membership',
    ])
      expect(held, kind).toContain(kind);
  });

  describe.each(ORGANIZATION_OPERATIONS)('%s', (operation) => {
    it.each(effectsOn(operation))('%s', (name) => matrix.expectHonestUnder(operation, name));
  });

  it('buries what was deleted, each with its evidence, and nothing else', async () => {
    using mirror = await matrix.copied();
    await matrix.expectHonest(mirror, await matrix.faulty(mirror, []));
    const kinds = rowsOf(mirror, 'select distinct kind from tombstones join resources using (rid) order by kind');
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['custom-field', 'member', 'openapi-spec', 'saml-provider', 'site', 'team']),
    );
  });
});
