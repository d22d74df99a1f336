// The ledger: for each kind and field, can it come back exactly, best effort, or not at all, and why.
import { fieldsOf, kindNames, kindOf, type KindName } from '../contract/index.ts';
import type { Resource } from '../mirror/index.ts';
import { isRestored } from './restored-kinds.ts';

type LedgerClass = 'exact' | 'bestEffort' | 'lost';

export interface LedgerEntry {
  readonly kind: KindName;
  readonly field: string;
  readonly class: LedgerClass;
  /** How (best effort) or why not (lost); empty for exact. */
  readonly reason: string;
  /** True for a lost field of which every new resource gets its own. */
  readonly given: boolean;
}

// Nothing is lost with these: the platform makes them again from what is restored.
const FOLLOWING: ReadonlySet<KindName> = new Set<KindName>([
  'link',
  'openapi-spec-version',
  'openapi-spec-content',
  'published-site',
]);

/** True for a kind that the platform derives from others, so that a plan need not name each. */
export function isDerived(kind: KindName): boolean {
  const { derived, read } = kindOf(kind);
  return derived === true || read.from === 'beside' || FOLLOWING.has(kind);
}

/** Why a kind does not come back as a whole. */
export function reasonNotRestored(kind: KindName): string {
  const whole = kindOf(kind).recovery?.['*'];
  if (whole?.as === 'lost') return whole.why;
  return 'this version of docmirror does not write this kind back';
}

// What is compared beside the fields that the API document names.
const BESIDE: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  organization: ['logo'],
  collection: ['position'],
  space: ['position'],
  'openapi-spec': ['text'],
  page: ['markdown', 'parent', 'position'],
  'change-request-page': ['markdown', 'parent', 'position'],
  file: ['sha256'],
  'change-request-file': ['sha256'],
  'site-section': ['position'],
  'site-section-group': ['position'],
  'site-space': ['position'],
};

/** What the ledger says of one field. */
export function ledgerOf(kind: KindName, field: string): LedgerEntry {
  const entry = { kind, field, reason: '', given: false };
  if (!isRestored(kind)) return { ...entry, class: 'lost', reason: reasonNotRestored(kind) };
  const recovery = kindOf(kind).recovery?.[field];
  if (recovery?.as === 'best-effort') return { ...entry, class: 'bestEffort', reason: recovery.how };
  if (recovery?.as === 'lost') return { ...entry, class: 'lost', reason: recovery.why, given: recovery.given === true };
  // A field that the contract does not know cannot be sent back through it.
  const known = fieldsOf(kind).has(field) || BESIDE[kind]?.includes(field) === true;
  return known ? { ...entry, class: 'exact' } : { ...entry, class: 'lost', reason: 'not in the API document' };
}

/** The whole ledger, by kind and field. Parts of a field that differ from the rest of it follow as `field.part`. */
export function ledger(): LedgerEntry[] {
  return kindNames.flatMap((kind) => {
    const parts = Object.keys(kindOf(kind).recovery ?? {}).filter((field) => field.includes('.'));
    const fields = new Set([...fieldsOf(kind).keys(), ...(BESIDE[kind] ?? []), ...parts]);
    return [...fields].map((field) => ledgerOf(kind, field));
  });
}

/** Fields of an object that do not come back exactly. */
export interface Losses {
  readonly bestEffort: readonly string[];
  readonly lost: readonly string[];
}

/** What the ledger says of the fields in which this object has a value. */
export function lossesOf({ kind, body }: Pick<Resource, 'kind' | 'body'>): Losses {
  const bestEffort: string[] = [];
  const lost: string[] = [];
  for (const [field, value] of Object.entries(body)) {
    if (isTrivial(value)) continue;
    const entry = ledgerOf(kind, field);
    if (entry.class === 'bestEffort') bestEffort.push(field);
    if (entry.class === 'lost') lost.push(field);
  }
  return { bestEffort, lost };
}

export function mergeLosses(a: Losses, b: Losses): Losses {
  return {
    bestEffort: [...new Set([...a.bestEffort, ...b.bestEffort])],
    lost: [...new Set([...a.lost, ...b.lost])],
  };
}

/** True for a value that says nothing: what a new object has anyway. */
export function isTrivial(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
