// What a restore is asked for.
import { AppError, didYouMean } from '../../base/index.ts';
import { isKindName, kindNames, kindOf, type KindName } from '../../contract/index.ts';

/** A scope as it was written on the command line. */
export type Scope =
  | { readonly by: Container; readonly id: string }
  /** One page or change request: its id, or the ids of its space and itself. */
  | { readonly by: 'page' | 'change-request'; readonly id: string }
  | { readonly by: 'kind'; readonly kind: KindName };

export type Container = (typeof CONTAINERS)[number];

const CONTAINERS = ['organization', 'collection', 'space', 'site'] as const;
const NAMED = [...CONTAINERS, 'page', 'change-request'] as const;

/** Reads a scope. Throws DM_USAGE that names the value seen and what is expected. */
export function parseScope(text: string): Scope {
  const split = text.indexOf(':');
  const by = text.slice(0, Math.max(split, 0));
  const rest = text.slice(split + 1);
  const named = NAMED.find((name) => name === by);
  if (named !== undefined && rest !== '') return { by: named, id: rest };
  if (by === 'kind' && isKindName(rest)) return { by: 'kind', kind: rest };
  const unlike = named === undefined ? didYouMean(by, [...NAMED, 'kind']) : '';
  const meant = by === 'kind' ? didYouMean(rest, kindNames) : unlike;
  const expected = `${NAMED.map((name) => `${name}:ID`).join(', ')} or kind:NAME${meant}`;
  throw new AppError('DM_USAGE', `--scope is ${JSON.stringify(text)}; expected ${expected}`, {
    hint: by === 'kind' ? `Kinds are ${kindNames.join(', ')}.` : `Find ids with \`${idsOf(named)}\`.`,
  });
}

/** The query that lists what can be named. */
function idsOf(named: (typeof NAMED)[number] | undefined): string {
  const title = named === 'change-request' ? 'subject' : 'title';
  return `docmirror query "select id, ${title} from ${(named ?? 'space').replace('-', '_')}s"`;
}

/** The scope in words that parse to it again. */
export function scopeText(scope: Scope): string {
  return scope.by === 'kind' ? `kind:${scope.kind}` : `${scope.by}:${scope.id}`;
}

/** Told from what is asked for wrongly: another snapshot may have it. */
export class NothingThere extends AppError {}

/** What was asked for is not in the snapshot; it may be in what the mirror has newest, which is not where to look for it. */
export function nothingFor(asked: string, { kind, snapshot }: { kind: KindName; snapshot: number }): NothingThere {
  const sql = `select ${SHOWN[kind] ?? '*'} from ${kindOf(kind).view}`;
  return new NothingThere('DM_USAGE', `Snapshot ${snapshot} has nothing for --scope ${asked}`, {
    hint: `See what it has: docmirror query --at ${snapshot} "${sql}".`,
  });
}

/** What tells one from another, of kinds that are asked for by id. */
const SHOWN: Readonly<Partial<Record<KindName, string>>> = {
  organization: 'id, title',
  collection: 'id, title',
  space: 'id, title',
  site: 'id, title',
  page: 'id, title, path, space',
  'change-request': 'id, subject, space',
};
