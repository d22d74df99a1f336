// What somebody added since the snapshot stays unless it is asked for: a plan that says nothing of it looks as if all would be as it was.
import { count, isRecord } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { MISSED_KINDS } from '../restored-kinds.ts';
import type { Resource } from '../../mirror/index.ts';
import type { PreflightCheck } from '../types.ts';
import type { Divergence } from './divergence.ts';
import type { InPlaceInput } from './input.ts';
import { valuesLeft, type Snapshot } from './values-beyond.ts';
import { spaceOf } from '../resource.ts';

// What people miss, what they see at once, and what lets others in.
const NAMED = [...MISSED_KINDS, 'site-section', 'share-link', 'saml-provider'] as const satisfies readonly KindName[];
const GOING = NAMED.filter((kind) => kind === 'page' || kindOf(kind).remove !== undefined);
// No operation takes these away.
const LASTING: readonly KindName[] = ['site-adaptive-schema'];

/** Says how much stands that the snapshot does not have, and how it is taken away; nothing where the plan takes it away. */
export function addedSince(
  { choices, undoes }: Pick<InPlaceInput, 'choices' | 'undoes'>,
  { added }: Pick<Divergence, 'added'>,
  there: Snapshot,
): PreflightCheck[] {
  return choices.added || undoes !== undefined ? [] : [...things(added), ...valuesLeft(added, there)];
}

function things(added: readonly Resource[]): PreflightCheck[] {
  const spaces = new Set(added.filter(({ kind }) => kind === 'space').map(({ key }) => key));
  const apart = added.filter(
    (one) => one.kind === 'space' || !(spaces.has(spaceOf(one)) || isRecord(one.body['computed'])),
  );
  const told = (kinds: readonly KindName[], why: string): PreflightCheck[] => {
    const numbers = numbersOf(apart, kinds);
    if (numbers.length === 0) return [];
    const detail = `${numbers.join(', ')} that the snapshot does not have: left; ${why}`;
    return [{ check: 'added since', state: 'ok', detail }];
  };
  return [
    ...told(GOING, 'with `--delete` the plan takes them away'),
    ...told(LASTING, 'no operation takes one away, so `--delete` leaves it, too'),
  ];
}

function numbersOf(added: readonly Resource[], kinds: readonly KindName[]): string[] {
  return kinds.flatMap((kind) => {
    const found = added.filter((one) => one.kind === kind).length;
    return found === 0 ? [] : [count(found, kind.replaceAll('-', ' '))];
  });
}
