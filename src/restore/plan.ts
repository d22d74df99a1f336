// Making a plan: what the snapshot holds, what the target allows, in which order. Reads only.
import { AppError, isoTime, type Clock, type Random } from '../base/index.ts';
import type { ApiClient } from '../client/index.ts';
import { readerAt, snapshotById, type Mirror, type SnapshotReader } from '../mirror/index.ts';
import { planSteps } from './plan-steps.ts';
import { isEmptyOrganization } from './target.ts';
import type { Plan } from './types.ts';

export interface PlanInput {
  readonly mirror: Mirror;
  /** Number of a sealed snapshot. */
  readonly snapshot: number;
  readonly client: ApiClient;
  readonly targetUrl: string;
  /** Source; null for the only one of the snapshot. */
  readonly organization: string | null;
  /** Target; null for the only one that the target's token shows. */
  readonly toOrganization: string | null;
  readonly review: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
}

/**
 * Compares a snapshot with the target and says what would be written, in order. Nothing is written.
 * Throws DM_TARGET_NOT_EMPTY when the target organization already has collections or spaces.
 */
export async function makePlan(input: PlanInput): Promise<Plan> {
  const snapshot = snapshotById(input.mirror, input.snapshot);
  const reader = readerAt(input.mirror, input.snapshot);
  const organization = input.organization ?? onlySource(reader);
  if (!reader.one('organization', organization)) throw unknownSource(reader, organization);
  const target = input.toOrganization ?? (await onlyTarget(input));
  if (!(await isEmptyOrganization(input.client, target, input.signal))) throw notEmpty(target);
  return {
    version: 1,
    nonce: input.random.id(),
    createdAt: isoTime(input.clock.now()),
    snapshot: input.snapshot,
    manifest: snapshot.manifest_hash,
    origin: snapshot.origin,
    organization,
    target: { url: input.targetUrl, organization: target },
    review: input.review,
    preconditions: [{ what: 'organization-empty', organization: target }],
    steps: planSteps({ reader, organization, review: input.review }),
  };
}

function onlySource(reader: SnapshotReader): string {
  const all = [...reader.resources('organization')];
  const [only] = all;
  if (only && all.length === 1) return only.id;
  const names = all.map((one) => `${one.id} (${String(one.body['title'])})`).join(', ');
  throw new AppError('DM_USAGE', `Snapshot ${reader.snapshot} holds ${all.length} organizations: ${names || 'none'}`, {
    hint: 'Name the one to restore with --scope organization:ID.',
  });
}

function unknownSource(reader: SnapshotReader, organization: string): AppError {
  return new AppError('DM_USAGE', `Snapshot ${reader.snapshot} has no organization ${organization}`, {
    hint: 'Run docmirror query "select id, title from organizations" to see what there is.',
  });
}

async function onlyTarget({ client, signal }: PlanInput): Promise<string> {
  const ids: string[] = [];
  for await (const page of client.paginate('listOrganizations', {}, { signal }))
    ids.push(...page.items.map((one) => one.id));
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new AppError('DM_USAGE', `The target shows ${ids.length} organizations: ${ids.join(', ') || 'none'}`, {
    hint: 'Name the one to restore into with --to-organization ID.',
  });
}

function notEmpty(organization: string): AppError {
  return new AppError(
    'DM_TARGET_NOT_EMPTY',
    `Organization ${organization} already has collections or spaces; a restore needs an empty one`,
    {
      hint: 'Create an empty organization and name it with --to-organization. Nothing was written.',
    },
  );
}
