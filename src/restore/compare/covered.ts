// What of a snapshot a plan brings back, so that only that is compared.
import type { KindName } from '../../contract/index.ts';
import { AppAddresses } from '../../export/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { changedPages, ownFiles } from '../special/change-request-pages.ts';
import { LinkPages } from '../links/link-pages.ts';
import type { Part, Plan } from '../types.ts';
import { hasValue } from '../resource.ts';

/** The resources of a kind that should stand on the target now; null where others may have their turn before the next is found. */
export function* covered(plan: Plan, reader: SnapshotReader, kind: KindName): IterableIterator<Resource | null> {
  const steps = stepsOf(plan);
  switch (kind) {
    // Revisions have only fields that the server sets.
    case 'revision':
    case 'change-request-revision':
      return;
    case 'page':
    case 'file':
      yield* coveredContent(plan, reader, kind);
      return;
    // What they have from their space is compared there.
    case 'change-request-page':
    case 'change-request-file':
      for (const key of steps.of('change-request-revision', 'content')) {
        const request = reader.one('change-request', key);
        if (request) yield* (kind === 'change-request-page' ? changedPages : ownFiles)(reader, request);
      }
      return;
    case 'custom-field-value':
      for (const { key, field } of valuesSetBack(plan)) {
        const value = reader.one(kind, `${key}/${field}`);
        if (value) yield value;
      }
      for (const space of steps.of(kind, 'values')) {
        for (const value of reader.resources(kind, space)) {
          if (hasValue(value) && steps.has('custom-field', `${plan.organization}/${value.id}`)) yield value;
        }
      }
      return;
    case 'team-membership': {
      // Who is in a team that stands is beyond every operation, as the plan says.
      const made = new Set(steps.of('team', 'create'));
      for (const one of reader.resources(kind, plan.organization)) {
        const { userId = '', teamId = '' } = one.params;
        if (plan.people[userId] !== undefined && made.has(`${plan.organization}/${teamId}`)) yield one;
      }
      return;
    }
    default:
      // Of places in a site those that are made with what holds them are named by their settings.
      for (const one of reader.resources(kind)) if (steps.writes(one)) yield one;
  }
}

/** Pages and files: of spaces that are imported all that were asked for, of spaces that stand those that are mended. */
function* coveredContent(plan: Plan, reader: SnapshotReader, kind: 'page' | 'file'): IterableIterator<Resource> {
  const only = plan.only['page'] && new Set(plan.only['page']);
  const addresses = new AppAddresses(reader);
  for (const { kind: of, part, key, pages } of plan.steps) {
    if (of !== 'revision') continue;
    if (part === 'content' && (kind === 'page' || only === undefined)) {
      const linkPages = new LinkPages(reader, { space: key }, addresses);
      for (const one of reader.resources(kind, key))
        if ((only === undefined || only.has(one.key)) && !linkPages.isBeyondImport(one)) yield one;
    }
    const mended = kind === 'page' ? [...(pages?.missing ?? []), ...(pages?.changed ?? [])] : (pages?.files ?? []);
    for (const { id, of: own = id } of mended) {
      const one = reader.one(kind, `${key}/${own}`);
      if (one) yield one;
    }
  }
}

function valuesSetBack(plan: Plan): { key: string; field: string }[] {
  const steps = plan.steps.filter(({ kind, part }) => kind === 'custom-field-value' && part === 'fields');
  return steps.flatMap(({ key, mend }) => (mend?.fields ?? []).map(({ field }) => ({ key, field })));
}

interface PlannedSteps {
  /** Keys of the steps of a kind and part. */
  of(kind: KindName, part: Part): string[];
  /** True when the plan brings it or found it there. */
  has(kind: KindName, key: string): boolean;
  /** True when the plan brings it; members are there in any case. */
  writes(resource: Resource): boolean;
}

function stepsOf(plan: Plan): PlannedSteps {
  const there = new Set<string>();
  const written = new Set<string>();
  for (const { kind, key, part, adopts, action } of plan.steps) {
    if (action === 'unsupported') continue;
    there.add(`${kind} ${key}`);
    if (part !== 'none' || (kind === 'member' && adopts !== null)) written.add(`${kind} ${key}`);
  }
  return {
    of: (kind, part) => plan.steps.filter((step) => step.kind === kind && step.part === part).map(({ key }) => key),
    has: (kind, key) => there.has(`${kind} ${key}`),
    writes: ({ kind, key }) => written.has(`${kind} ${key}`),
  };
}
