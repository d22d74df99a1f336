// Who is in the teams that stand.
import type { Resource } from '../../mirror/index.ts';
import { keyAbove } from '../resource.ts';
import type { Choices } from '../types.ts';
import type { Divergence } from './divergence.ts';
import type { Mending } from './input.ts';

/** Who is in a team: said, since the API offers no operation for it. A team that was made anew stands for the one that was lost. */
export function addTeamMends(planning: Mending, divergence: Divergence, choices: Choices): void {
  const { list, live } = planning;
  const mine = ({ kind }: Resource): boolean => kind === 'team-membership';
  const missing = choices.missing ? divergence.missing.filter(mine).map((one) => asItStands(planning, one)) : [];
  const added = choices.added ? divergence.added.filter(mine) : [];
  const wanted = added.length === 0 ? new Set<string>() : membershipsWanted(planning);
  const teams = new Set([
    ...missing.filter((one) => !live.one('team-membership', one.key)).map(({ team }) => team),
    ...added.filter(({ key }) => !wanted.has(key)).map(({ key, params }) => teamKey(key, params['teamId'] ?? '')),
  ]);
  for (const key of teams) {
    const team = live.one('team', key);
    if (team) list.addUnsupported(team, 'no operation changes who is in a team');
  }
}

/** Keys of a membership and of its team, in the team that stands for its own now. */
function asItStands({ heirs }: Mending, { key, params }: Resource): Readonly<Record<'key' | 'team', string>> {
  const own = params['teamId'] ?? '';
  const team = heirs.byId('team', own) ?? own;
  return { key: `${keyAbove(key)}/${team}`, team: teamKey(key, team) };
}

function membershipsWanted(planning: Mending): Set<string> {
  const all = planning.reader.resources('team-membership', planning.organization);
  return new Set([...all].map((one) => asItStands(planning, one).key));
}

function teamKey(membership: string, team: string): string {
  return `${keyAbove(keyAbove(membership))}/${team}`;
}
