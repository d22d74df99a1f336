// What an earlier restore made anew is not compared with what it stands for: a plan that says nothing of it looks as if all were as it was.
import { few } from '../../base/index.ts';
import { MISSED_KINDS } from '../restored-kinds.ts';
import { titleOf } from '../resource.ts';
import type { PreflightCheck } from '../types.ts';
import type { Divergence } from './divergence.ts';
import type { InPlaceInput } from './input.ts';

const SHOWN = 5;

/** Names what stands for what the snapshot has, and how it is set back; nothing where nothing is to be. */
export function madeAnew(
  { choices, undoes }: Pick<InPlaceInput, 'choices' | 'undoes'>,
  { standIns }: Pick<Divergence, 'standIns'>,
): PreflightCheck[] {
  const missed = standIns.filter(({ kind }) => MISSED_KINDS.includes(kind));
  if (!choices.changed || undoes !== undefined || missed.length === 0) return [];
  const names = missed.map((one) => `${one.kind.replaceAll('-', ' ')} ${titleOf(one)}`);
  const detail = `${few(names, SHOWN)}: left as what stands for it is by now; to set that back, plan with a snapshot of after it was made anew`;
  return [{ check: 'made anew before', state: 'ok', detail }];
}
