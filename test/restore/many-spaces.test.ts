import { expect, it } from 'vitest';
import type { Resource } from '../../src/mirror/index.ts';
import { addSpaces, addSpaceSettings } from '../../src/restore/plan/containers.ts';
import { StepList } from '../../src/restore/plan/step-list.ts';
import type { PlanStep } from '../../src/restore/types.ts';

const SPACES = 300;

/** A list of steps, and how often one of them was looked at. */
function counted(): { readonly list: StepList; readonly looks: () => number } {
  let looks = 0;
  const steps = new Proxy<PlanStep[]>([], {
    get: (all, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) looks++;
      return Reflect.get(all, name) as unknown;
    },
  });
  const list = new StepList();
  Object.defineProperty(list, 'steps', { value: steps });
  return { list, looks: () => looks };
}

function resource(kind: 'space' | 'revision', id: string): Resource {
  const body = { title: id, editMode: 'locked', createdAt: '2026-03-01T02:00:00.000Z' };
  return {
    rid: 1,
    kind,
    key: id,
    id,
    params: { spaceId: id },
    body,
    text: null,
    object: null,
    parent: null,
    position: null,
  };
}

it('restore plan finds the steps of each space without a look at those of all others: a plan of 10,000 spaces took a minute and a half', () => {
  const { list, looks } = counted();
  const spaces = Array.from({ length: SPACES }, (_, at) => resource('space', String(SPACES + at)));
  addSpaces({ list }, spaces);
  for (const { key } of spaces) list.add({ part: 'content', of: resource('revision', key) });
  for (const { key } of spaces) list.add({ action: 'update', part: 'links', of: resource('revision', key) });
  const linkers = spaces.map(({ key }) => list.linkerOf(key));
  for (const space of spaces) addSpaceSettings({ list }, space);
  expect(looks()).toBe(0);

  expect([list.spacesMade.size, list.steps.filter(({ requests }) => requests === 3).length]).toEqual([SPACES, 1]);
  expect(linkers).toEqual(spaces.map((_, at) => 2 * SPACES + at + 1));
  const settings = list.steps.filter(({ part }) => part === 'settings').map(({ needs }) => needs);
  expect(settings).toEqual(spaces.map((_, at) => [at, SPACES + at, 2 * SPACES + at].map((step) => step + 1)));
});
