// What a walk reads, as the configuration and the command line say: one that was cut off is continued only under the same terms.
import { canonicalJson, isRecord } from '../base/index.ts';
import { FORMER_PDF } from '../mirror/index.ts';
import type { Body } from './visits/parts.ts';
import type { WalkOptions } from './types.ts';

/** The terms by the names that people set them by. Lists are sets here: their order decides nothing. */
export function termsOf({ scope, settings }: Pick<WalkOptions, 'scope' | 'settings'>): Body {
  return {
    'scope.organizations': sorted(scope.organizations),
    'scope.spaces': sorted(scope.extraSpaces),
    'scope.invites': sorted(scope.invites ?? []),
    'walk.documents': settings.documents === true,
    'walk.rereadNights': settings.rereadNights,
    '--pdf': settings.pdfs === true,
  };
}

/** Names of the terms that differ from those which a walk began under; undefined where those are not known. */
export function otherTerms(
  options: Pick<WalkOptions, 'scope' | 'settings'>,
  began: string | undefined,
): string[] | undefined {
  const kept: unknown = began === undefined ? undefined : JSON.parse(began);
  if (!isRecord(kept)) return undefined;
  const before: Body = { '--pdf': kept[FORMER_PDF], ...kept };
  const now = termsOf(options);
  return Object.keys(now).filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null));
}

function sorted(ids: readonly string[] | null): string[] | null {
  return ids === null ? null : ids.toSorted();
}
