// What a restore may have made when it was cut off, before it could note that: nobody knows its id, but what it was to be called.
import type { KindName } from '../../contract/index.ts';
import { readerAt, type Mirror, type Resource, type RestoreStep } from '../../mirror/index.ts';
import { idMapOf } from './id-map.ts';
import { titleOf } from '../resource.ts';
import { markOf } from '../steps/spaces.ts';
import type { Plan } from '../types.ts';

interface Journal {
  readonly plan: Plan;
  readonly restore: string;
  readonly steps: readonly RestoreStep[];
}

interface Sides {
  readonly mirror: Mirror;
  /** Number of the snapshot of what stood before the restore. */
  readonly snapshot: number;
  readonly live: number;
}

/** Told by their names alone: a custom field or a specification is told by its id, and a comment bears a credit line. */
const NAMED: ReadonlySet<KindName> = new Set<KindName>([
  'collection',
  'space',
  'site',
  'site-section',
  'site-section-group',
  'share-link',
  'team',
  'saml-provider',
  'translation-settings',
]);

/** New since before the restore, of the kind and name of something whose making was begun and not ended. */
export function halfMade({ plan, restore, steps }: Journal, { mirror, snapshot, live }: Sides): Resource[] {
  const begun = new Set(steps.filter(({ state }) => state === 'started' || state === 'failed').map(({ step }) => step));
  const open = plan.steps.filter(({ kind, part, step }) => part === 'create' && NAMED.has(kind) && begun.has(step));
  if (open.length === 0) return [];
  const [before, now] = [readerAt(mirror, snapshot), readerAt(mirror, live)];
  const ids = idMapOf(plan, steps);
  const named = new Set(
    open.flatMap((step) => [
      `${step.kind} ${step.title}`,
      ...MARKED.map((kind) => `${kind} ${markOf({ restore }, step)}`),
    ]),
  );
  return [...NAMED].flatMap((kind) =>
    [...now.resources(kind)].filter(
      (one) =>
        named.has(`${kind} ${titleOf(one)}`) && before.one(kind, one.key) === undefined && !ids.isTaken(kind, one.id),
    ),
  );
}

/** A space may be made with a site, which bears a mark until it has gone. */
const MARKED = ['space', 'site'] as const satisfies readonly KindName[];
