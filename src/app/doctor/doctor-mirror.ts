// The doctor's look at the mirror: whether it is fresh and proven, and what it says of the token and the platform.
import {
  heldOf,
  isAccepted,
  lastSound,
  lastSealed,
  listDrift,
  listShrunk,
  mirrorIfThere,
  refusedIn,
  refusedUnaccepted,
  refusedWords,
  type Mirror,
} from '../../mirror/index.ts';
import { readStatus } from '../../status/index.ts';
import { otherPlatform } from '../../walker/index.ts';
import { drillRoom, roomText } from '../drill-room.ts';
import { unknownRestores } from '../restoring/unknown-restores.ts';
import { bad, good, warning, type Finding } from './finding.ts';
import type { Kit } from '../kit.ts';

/** How the mirror stands; what is in it only where it can be read. */
export async function examineMirror(kit: Kit): Promise<Finding[]> {
  return [examineState(kit), ...(await examineDrill(kit)), ...(await examineRestores(kit)), ...examineContents(kit)];
}

function examineState({ config, clock }: Kit): Finding {
  try {
    using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
    if (mirror === null) return warning('mirror', 'there is none yet', 'Run docmirror sync.');
    const { baseUrl } = config.platform;
    const refusal = baseUrl === null ? null : otherPlatform(mirror, baseUrl);
    if (refusal !== null) return bad('mirror', refusal);
    const { ready, reasons } = readStatus(mirror, clock.now(), config.freshness);
    if (ready) return examineLast(mirror);
    const hint = 'Run docmirror sync and docmirror drill, or keep the daemon running.';
    return warning('mirror', reasons.join('; '), hint);
  } catch (error) {
    return bad('mirror', error);
  }
}

/** The newest snapshot of a mirror that is ready: it may be of a night that went wrong. */
function examineLast(mirror: Mirror): Finding {
  const last = lastSealed(mirror);
  if (last === undefined || last.state === 'complete' || isAccepted(mirror, last.id))
    return good('mirror', `fresh and proven; the last snapshot is ${last?.id ?? 0}`);
  const found = `fresh and proven by an earlier snapshot; the last one, ${last.id}, is ${last.state}: ${last.reason ?? ''}`;
  return warning('mirror', found, `Run \`docmirror snapshots show ${last.id}\`: it says what to do.`);
}

/** Whether the next drill will find room. */
async function examineDrill({ config, clock }: Kit): Promise<Finding[]> {
  if (config.schedule.drill === null) return [];
  try {
    using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
    const last = mirror && lastSound(mirror);
    if (!last) return [];
    const room = await drillRoom(mirror, last.id, config);
    if (room.free >= room.needed) return [];
    const hint = 'Free space there, move the data directory to a larger disk, or set schedule.drill to null.';
    return [warning('drill', `there is no room for one: ${roomText(room)}`, hint)];
  } catch {
    // Whatever keeps the mirror from being read is told by its own finding.
    return [];
  }
}

async function examineRestores(kit: Kit): Promise<Finding[]> {
  try {
    const unknown = await unknownRestores(kit);
    return unknown === null ? [] : [warning('restores', unknown, UNKNOWN_HINT)];
  } catch {
    // Whatever keeps the mirror from being read is told by its own finding.
    return [];
  }
}

const UNKNOWN_HINT =
  'Put back a copy of mirror.db of after them, with which they can be verified and taken back; or look at what stands before you apply a plan, and move their folders away.';

/** What the token may see, and what the platform sends beyond its contract. */
function examineContents({ config, clock }: Kit): Finding[] {
  try {
    using mirror = mirrorIfThere({ dataDir: config.dataDir, clock });
    if (mirror === null) return [];
    return [
      ...lostRights(mirror),
      ...refusals(mirror),
      ...leftOut(mirror, config.scope.organizations),
      driftIn(mirror),
    ];
  } catch {
    // Whatever keeps the mirror from being read is told by its own finding.
    return [];
  }
}

const RIGHTS_HINT =
  'Give the token the rights, or say that they are as they should be: docmirror sync --accept-rights. That accepts what the platform does not offer (not found), too.';

function lostRights(mirror: Mirror): Finding[] {
  return listShrunk(mirror).map(({ kind, key, lost }) =>
    warning('scope', `no ${lost.join(', ')} on ${kind} ${key} any more`, RIGHTS_HINT),
  );
}

/** What the last walk was refused, whether or not a person said that this is meant. */
function refusals(mirror: Mirror): Finding[] {
  const last = lastSealed(mirror);
  if (last === undefined) return [];
  const accepted = refusedIn(mirror, last.id);
  const others = refusedUnaccepted(mirror, last.id);
  return [
    ...(accepted.length === 0
      ? []
      : [good('scope', `refused to this token, as was accepted: ${refusedWords(accepted)}`)]),
    ...(others.length === 0 ? [] : [warning('scope', `refused to this token: ${refusedWords(others)}`, RIGHTS_HINT)]),
  ];
}

/** Organizations that were mirrored, and are no longer: nothing of them moves. */
function leftOut(mirror: Mirror, inScope: readonly string[] | null): Finding[] {
  const others = inScope === null ? [] : heldOf(mirror, 'organization').filter(({ key }) => !inScope.includes(key));
  return others.map(({ key }) => {
    const found = `organization ${key} is in the mirror and not in scope.organizations: it is shown as it was read last`;
    return warning(
      'scope',
      found,
      'Name it in scope.organizations, or make a mirror without it in another data directory.',
    );
  });
}

/** What was never read proves nothing. */
function driftIn(mirror: Mirror): Finding {
  const drift = listDrift(mirror);
  if (drift.length > 0) {
    const kinds = [...new Set(drift.map(({ kind }) => kind))].join(', ');
    const [words, kept] = drift.length === 1 ? ['field or value is', 'it is'] : ['fields or values are', 'they are'];
    const found = `${drift.length} ${words} not in the contract, in ${kinds}; ${kept} kept`;
    return warning('drift', found, 'See them: docmirror doctor --drift.');
  }
  if (lastSealed(mirror) !== undefined) return good('drift', 'all that the platform sends is in the contract');
  const hint = 'Run docmirror sync: a walk notes what is not in the contract.';
  return warning('drift', 'nothing was read yet: there is no snapshot', hint);
}
