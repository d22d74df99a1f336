// What a plan says whichever way it restores: where it comes from, what was asked for, what it found and what it takes.
import { isoTime } from '../../base/index.ts';
import { snapshotById, type SnapshotReader } from '../../mirror/index.ts';
import { probeContent } from '../content/content-probe.ts';
import type { PeopleMap } from '../special/people.ts';
import type { PlanInput } from '../plan.ts';
import { neededRights, preflight } from './preflight.ts';
import type { Selection } from '../selection/selection.ts';
import { idsThere, type TargetState } from '../target.ts';
import type { Plan, PlanStep } from '../types.ts';

/** What was read and decided before a plan is written down. */
interface Planned {
  readonly reader: SnapshotReader;
  /** Of the snapshot. */
  readonly organization: string;
  readonly selection: Selection;
  readonly target: TargetState;
  readonly people: PeopleMap;
  readonly steps: readonly PlanStep[];
  /** An empty space of the target. */
  readonly donor: string | null;
  /** Host names of other organizations that the token shows. */
  readonly hostnames: ReadonlySet<string>;
}

type PlanFor = Omit<PlanInput, 'scope' | 'where' | 'toOrganization' | 'intoExisting' | 'people'>;

type Common = Omit<
  Plan,
  'mode' | 'live' | 'archive' | 'undoes' | 'closure' | 'preconditions' | 'heirs' | 'linked' | 'holders'
>;

/** Asks the content server too, where the steps need one. */
export async function commonOf(input: PlanFor, planned: Planned): Promise<Common> {
  const { organization, selection, target, people, steps, donor } = planned;
  const { targetUrl, review, keepMentions = false, contentServer } = input;
  const { manifest_hash: manifest, origin } = snapshotById(input.mirror, input.snapshot);
  const probe = await probeContent({ ...input, steps });
  return {
    version: 3,
    nonce: input.random.id(),
    createdAt: isoTime(input.clock.now()),
    snapshot: input.snapshot,
    manifest,
    origin,
    organization,
    target: { url: targetUrl, organization: target.organization },
    review,
    scope: selection.text,
    only: onlyOf(selection),
    people: people.people,
    standIn: people.standIn,
    keepMentions,
    existing: idsThere(target),
    donor,
    preflight: preflight({ ...planned, keepMentions, targetUrl, contentServer, probe }),
    rights: neededRights(steps),
    steps,
  };
}

/** The keys of single resources that were asked for, as a plan keeps them. */
function onlyOf(selection: Selection): Plan['only'] {
  const kinds = (['page', 'change-request', 'comment', 'change-request-comment'] as const).flatMap((kind) => {
    const keys = selection.limitOf(kind);
    return keys === null ? [] : [[kind, [...keys]] as const];
  });
  return Object.fromEntries(kinds);
}
