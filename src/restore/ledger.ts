// The ledger: for each kind and field, can it come back exactly, best effort, or not at all, and why.
import { fieldsOf, kindNames, kindOf, type KindName } from '../contract/index.ts';

export type LedgerClass = 'exact' | 'bestEffort' | 'lost';

export interface LedgerEntry {
  readonly kind: KindName;
  readonly field: string;
  readonly class: LedgerClass;
  /** How (best effort) or why not (lost); empty for exact. */
  readonly reason: string;
}

/** Kinds that this program writes back. */
export const RESTORED_KINDS = [
  'collection',
  'space',
  'revision',
  'page',
  'file',
  'change-request',
  'change-request-revision',
  'change-request-page',
  'change-request-file',
  'comment',
  'comment-reply',
  'change-request-comment',
  'change-request-comment-reply',
] as const satisfies readonly KindName[];

export function isRestored(kind: KindName): boolean {
  return (RESTORED_KINDS as readonly KindName[]).includes(kind);
}

/** Why a kind does not come back as a whole. */
export function reasonNotRestored(kind: KindName): string {
  const whole = kindOf(kind).recovery?.['*'];
  if (whole?.as === 'lost') return whole.why;
  return 'this version of docmirror does not write this kind back';
}

/** What the ledger says of one field. */
export function ledgerOf(kind: KindName, field: string): LedgerEntry {
  if (!isRestored(kind)) return { kind, field, class: 'lost', reason: reasonNotRestored(kind) };
  const recovery = kindOf(kind).recovery?.[field];
  if (recovery?.as === 'best-effort') return { kind, field, class: 'bestEffort', reason: recovery.how };
  if (recovery?.as === 'lost') return { kind, field, class: 'lost', reason: recovery.why };
  // A field that the contract does not know cannot be sent back through it.
  const known = fieldsOf(kind).has(field) || field === 'sha256' || field === 'parent' || field === 'position';
  if (!known) return { kind, field, class: 'lost', reason: 'not in the API document' };
  return { kind, field, class: 'exact', reason: '' };
}

/** The whole ledger, by kind and field. */
export function ledger(): LedgerEntry[] {
  return kindNames.flatMap((kind) => [...fieldsOf(kind).keys()].map((field) => ledgerOf(kind, field)));
}
