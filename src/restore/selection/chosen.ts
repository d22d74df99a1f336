// Single resources that a restore is limited to: named one by one, or by a condition in SQL.
import { AppError } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { keysWhere, type Mirror, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import { nothingFor, scopeText, type Scope } from './scope.ts';

export interface Chosen {
  readonly kind: KindName;
  readonly resources: readonly Resource[];
  /** Why they are meant, for the closure: `page Install` or the condition. */
  readonly because: string;
}

/**
 * What the scope and the condition choose; null when the scope means containers or a whole kind. Without a scope a condition is
 * over pages. Throws DM_USAGE when nothing is meant or the scope takes no condition, DM_SQL_INVALID for SQL that fails.
 */
export function chosenBy(
  mirror: Mirror,
  reader: SnapshotReader,
  { scope, where }: { readonly scope: Scope | null; readonly where: string | null },
): Chosen | null {
  if (where !== null) return byCondition(mirror, reader, { kind: kindForCondition(scope), where });
  if (scope?.by !== 'page' && scope?.by !== 'change-request') return null;
  const { by: kind, id } = scope;
  const found = id.includes('/')
    ? [reader.one(kind, id)].filter((one) => one !== undefined)
    : reader.keysOf(kind, id).map((key) => reader.one(kind, key));
  const resources = found.filter((one) => one !== undefined);
  const [only] = resources;
  if (!only) throw nothingFor(scopeText(scope), { kind, snapshot: reader.snapshot });
  if (resources.length > 1) {
    const keys = resources.map(({ key }) => `${kind}:${key}`).join(', ');
    throw new AppError('DM_USAGE', `--scope ${scopeText(scope)} stands in ${resources.length} places: ${keys}`, {
      hint: 'Name one of them.',
    });
  }
  return { kind, resources, because: `${kind} ${id}` };
}

function kindForCondition(scope: Scope | null): KindName {
  if (scope === null) return 'page';
  if (scope.by === 'kind') return scope.kind;
  throw new AppError('DM_USAGE', `--where does not go together with --scope ${scopeText(scope)}`, {
    hint: 'Give --scope kind:NAME with --where, or put the container into the condition, such as "space = \'ID\'".',
  });
}

function byCondition(
  mirror: Mirror,
  reader: SnapshotReader,
  { kind, where }: { readonly kind: KindName; readonly where: string },
): Chosen {
  const { view, id } = kindOf(kind);
  if (id === null) {
    throw new AppError('DM_USAGE', `--where cannot choose among ${view}: they have no ids of their own`, {
      hint: 'Choose what holds them, with --scope kind:space for example.',
    });
  }
  const keys = keysWhere(mirror.dataDir, { kind, where }, reader.snapshot);
  const resources = keys.map((key) => reader.one(kind, key)).filter((one) => one !== undefined);
  if (resources.length === 0) {
    const asked = `kind:${kind} with --where ${JSON.stringify(where)}`;
    throw nothingFor(asked, { kind, snapshot: reader.snapshot });
  }
  return { kind, resources, because: `${view} where ${where}` };
}
