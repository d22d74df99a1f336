// A look at the platform itself: are some resources, chosen by chance, there what the mirror says they are?
import type { Random } from '../../base/index.ts';
import {
  isBeside,
  kindNames,
  kindOf,
  operationOf,
  ownParameter,
  pathParameters,
  type KindName,
} from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { holdsAtSql } from '../database/holds-sql.ts';
import { readerAt, type Resource } from '../reading/reader.ts';
import { SignedTexts } from '../reading/signed-texts.ts';
import { LiveAccount } from './live-account.ts';
import { differingFields, requiredAmong, tellsItself, type IsAlike } from './live-fields.ts';
import type { LiveBody, LivePlatform } from './live-types.ts';
import { resolveSnapshot } from '../snapshots/snapshots.ts';
import { sharedRowsOf } from '../views/shared-rows.ts';

export interface SpotCheck {
  /** The snapshot that was compared. */
  readonly snapshot: number;
  readonly asked: number;
  readonly same: number;
  /** Changed or deleted on the platform since, by its own account. */
  readonly moved: number;
  /** What differs although the platform says that nothing moved, and what could not be read. */
  readonly problems: readonly SpotProblem[];
}

export interface SpotProblem extends Told {
  readonly kind: KindName;
  readonly key: string;
}

interface Told {
  readonly problem: string;
  /** True where the platform told nothing of it, which says nothing of the mirror. */
  readonly unread?: true;
}

interface Unlike extends Told {
  /** Nothing after it is asked for. */
  readonly isLast?: boolean;
}

export interface SpotCheckOptions {
  readonly count: number;
  readonly random: Random;
  readonly live: LivePlatform;
}

/**
 * Compares resources of the last sealed snapshot with the platform, one request each; of what is gone or otherwise there it also asks what
 * holds that, whether it accounts for it. Throws DM_NO_SNAPSHOT.
 */
export async function spotCheck(mirror: Mirror, { count, random, live }: SpotCheckOptions): Promise<SpotCheck> {
  const { id: snapshot } = resolveSnapshot(mirror, 'latest');
  // One that is damaged here is named among the rest, and ends nothing.
  const reader = readerAt(mirror, snapshot, { damaged: 'empty' });
  const looking = { live, signed: new SignedTexts(reader), account: new LiveAccount(reader, live) };
  const problems: SpotProblem[] = [];
  const chosen = choose(mirror, { snapshot, count, random });
  let [asked, same] = [0, 0];
  for (const { kind, key } of chosen) {
    asked += 1;
    const found = await compare(reader.one(kind, key), looking);
    if (found === 'same') same += 1;
    if (found === 'same' || found === 'moved') continue;
    const { isLast = false, ...told } = found;
    problems.push({ kind, key, ...told });
    if (isLast) break;
  }
  return { snapshot, asked, same, moved: asked - same - problems.length, problems };
}

type Found = 'same' | 'moved' | Unlike;

interface Looking {
  readonly live: LivePlatform;
  readonly signed: SignedTexts;
  readonly account: LiveAccount;
}

async function compare(stored: Resource | undefined, { live, signed, account }: Looking): Promise<Found> {
  if (stored === undefined) return 'moved';
  if (stored.isDamaged === true) return { problem: 'what is stored of it is damaged; run docmirror sync --full' };
  const answer = await live.read(stored);
  if (answer.is === 'unread')
    return { problem: `could not be read: ${answer.why}`, unread: true, isLast: answer.isLast ?? false };
  if (answer.is === 'there') return compareThere(stored, answer.body, { signed, account });
  const why = await account.ofGone(stored);
  return why === null ? 'moved' : { problem: `is not found there, which the platform does not account for: ${why}` };
}

async function compareThere(
  stored: Resource,
  live: LiveBody,
  { signed, account }: Pick<Looking, 'signed' | 'account'>,
): Promise<Found> {
  const isAlike: IsAlike = (held, shown) => signed.isSignedOtherwise(stored, [held, shown]);
  const { changed, lacking } = differingFields(stored, live, isAlike);
  const fields = [...changed, ...lacking];
  if (fields.length === 0) return 'same';
  const isWhole = requiredAmong(stored.kind, lacking).length === 0;
  if (isWhole && (tellsItself(stored, live) || (await account.ofChange(stored, fields)))) return 'moved';
  const told = [
    ...(changed.length > 0 ? [`differs in ${changed.join(', ')}`] : []),
    ...(lacking.length > 0 ? [`lacks ${lacking.join(', ')}`] : []),
  ];
  return { problem: `${told.join(' and ')}, which the platform does not account for` };
}

interface Chosen {
  readonly kind: KindName;
  readonly key: string;
}

interface Choice {
  readonly snapshot: number;
  readonly count: number;
  readonly random: Random;
}

/** Resources of one part of the mirror, by their place among these. */
interface Part {
  readonly amount: number;
  readonly at: (place: number) => Chosen | undefined;
}

function choose(mirror: Mirror, { snapshot, count, random }: Choice): Chosen[] {
  const kinds = kindNames.filter(isReadAlone);
  const parts = [ownPart(mirror, snapshot, kinds), ...sharedParts(mirror, snapshot, kinds)];
  const total = parts.reduce((sum, { amount }) => sum + amount, 0);
  const places = new Set<number>();
  while (places.size < Math.min(count, total)) places.add(random.int(total));
  return [...places].flatMap((place) => chosenAt(parts, place) ?? []);
}

function chosenAt(parts: readonly Part[], place: number): Chosen | undefined {
  let within = place;
  for (const { amount, at } of parts) {
    if (within < amount) return at(within);
    within -= amount;
  }
  return undefined;
}

function ownPart({ store }: Mirror, snapshot: number, kinds: readonly KindName[]): Part {
  const from = `from versions v join resources r on r.rid = v.rid
    where ${holdsAtSql('v', '?')} and r.kind in (${kinds.map(() => '?').join(', ')})
    and not exists (select 1 from unreachable u where u.rid = r.rid)`;
  const values = [snapshot, snapshot, ...kinds];
  const one = store.prepare<Chosen>(`select r.kind, r.key ${from} limit 1 offset ?`);
  return {
    amount: store.prepare<{ n: number }>(`select count(*) as n ${from}`).get(...values)?.n ?? 0,
    at: (place) => one.get(...values, place),
  };
}

/** What settled change requests show as their spaces did, tree by tree. */
function sharedParts({ store }: Mirror, snapshot: number, kinds: readonly KindName[]): Part[] {
  return sharedRowsOf(kinds).flatMap(({ sql, tree, number }) => {
    const one = store.prepare<Chosen>(`select r.kind, r.key from (${sql} and st.tid = ?) r limit 1 offset ?`);
    return store
      .prepare<{ tid: number; amount: number }>(
        `select st.tid, st.${number} as amount from shared_trees st where st.kind = ? and ${holdsAtSql('st', '?')} and not exists (select 1 from unreachable u where u.rid = st.rid)`,
      )
      .all(tree, snapshot, snapshot)
      .map((held) => ({ amount: held.amount, at: (place) => one.get(held.tid, place) }));
  });
}

/** True for a kind whose direct read gives one resource by its own id, and nothing that is drawn for the occasion. */
function isReadAlone(name: KindName): boolean {
  const { get, params } = kindOf(name);
  if (get === undefined || isBeside(name)) return false;
  const named = pathParameters(operationOf(get).path);
  return named.includes(ownParameter(name)) && named.every((parameter) => params.includes(parameter));
}
