// A restore of all of a kind makes what stands around it, and nothing that holds none of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/index.ts';
import { walkedWholeWorld } from '../support/furnished.ts';
import { createTarget } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await walkedWholeWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

function idsIn(sql: string): string[] {
  const { rows } = runQuery(world.dataDir, sql, null);
  return rows.map(([id]) => String(id)).toSorted();
}

describe('restore/scope of a kind', () => {
  it.each([
    ['comment', 'space', 'select distinct space from comments where change_request is null'],
    [
      'change-request-comment',
      'change-request',
      'select distinct change_request from comments where change_request is not null',
    ],
    ['custom-field-value', 'space', 'select distinct space from custom_field_values where value is not null'],
    ['share-link', 'site', 'select distinct site from share_links'],
    ['team-membership', 'team', 'select distinct team from team_memberships'],
  ])('kind:%s makes no %s that holds none of it: all of them were made anew', async (kind, holder, sql) => {
    await using target = await createTarget(world);
    const holding = idsIn(sql);
    const { steps } = await target.plan({ scope: `kind:${kind}` });
    const made = steps.filter((step) => step.kind === holder && step.part === 'create');
    expect(made.map(({ key }) => key.slice(key.lastIndexOf('/') + 1)).toSorted()).toEqual(holding);
    // A kind of which every one holds some would show nothing, but for the way a team is named.
    expect([kind, holding.length < idsIn(`select id from ${holder.replace('-', '_')}s`).length]).toEqual([
      kind,
      kind !== 'team-membership',
    ]);
  });
});
