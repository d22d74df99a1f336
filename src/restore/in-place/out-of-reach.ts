// What was asked for and the token does not reach: a plan that says nothing of it looks as if it stood there as it was.
import { few } from '../../base/index.ts';
import { isKindName } from '../../contract/index.ts';
import { outOfReach, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import { spaceOf, titleOf } from '../resource.ts';
import { isRestored } from '../restored-kinds.ts';
import type { Selection } from '../selection/selection.ts';
import type { PreflightCheck } from '../types.ts';
import type { InPlaceInput } from './input.ts';

const SHOWN = 6;

interface Asked {
  readonly reader: SnapshotReader;
  readonly selection: Selection;
}

/** Names them: a space in a bin that is refused to the token is one, too. */
export function outOfReachCheck(
  { mirror, live, undoes }: InPlaceInput,
  { reader, selection }: Asked,
): PreflightCheck[] {
  const away = outOfReach(mirror, live).flatMap(({ kind, resource }) => {
    const one = isKindName(kind) && isRestored(kind) ? reader.one(kind, resource) : undefined;
    const isMeant = one !== undefined && selection.meant(one) && (undoes?.touched(one) ?? true);
    return isMeant ? [one] : [];
  });
  const spaces = new Set(away.filter(({ kind }) => kind === 'space').map(({ key }) => key));
  const topmost = away.filter((one) => one.kind === 'space' || !spaces.has(spaceOf(one)));
  if (topmost.length === 0) return [];
  const detail = `${few(topmost.map(nameOf), SHOWN)}: the token does not reach that any more, be it there, in the bin or gone; it is left as it is. Plan with a token that reaches it`;
  return [{ check: 'out of reach', state: 'warn', detail }];
}

function nameOf(one: Resource): string {
  return `${one.kind.replaceAll('-', ' ')} ${titleOf(one)} (${one.id})`;
}
