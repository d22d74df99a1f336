// Whatever an organization consists of beside the texts comes back: a drill finds every field as it was, and so does a mend in place of
// what people did since, which can be taken back.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operationNames, operationOf } from '../../src/contract/index.ts';
import { runs, SEED } from '../fuzz/runs.ts';
import { belongings, settled, settledSince } from '../support/belongings.ts';
import { expectDrilled, expectMended } from '../support/comes-back.ts';

/** More runs, from another seed: ORGANIZATION_RUNS and ORGANIZATION_SEED. */
const RUNS = {
  numRuns: Number(process.env['ORGANIZATION_RUNS'] ?? runs(1)),
  seed: Number(process.env['ORGANIZATION_SEED'] ?? SEED),
};
const HISTORY = { acts: belongings, made: settled, since: settledSince };
const PATIENCE_MS = 600_000;

/** Operations that write and are no act: each with the reason. */
const NO_ACT: Readonly<Record<string, string>> = {
  pingOrganization: 'says when a member was last seen, which changes by itself and comes back with nobody',
};

/** The texts of what the acts are made of. */
function actTexts(): string {
  const folder = new URL('../support/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.startsWith('belonging') || name === 'content.ts');
  return names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
}

describe('whatever an organization consists of', () => {
  it('is made by every operation that writes, or it is said why not', () => {
    const texts = actTexts();
    const writing = operationNames.filter((name) => operationOf(name).method !== 'GET');
    const without = writing.filter((name) => !texts.includes(`.${name}(`));
    expect(without).toEqual(Object.keys(NO_ACT));
  });

  it('restore/drill finds every field as it was', () => expectDrilled(HISTORY, RUNS), PATIENCE_MS);

  it(
    'restore/in-place brings back every field as it was, leaves nothing to do, and can be taken back',
    () => expectMended(HISTORY, RUNS),
    PATIENCE_MS,
  );
});
