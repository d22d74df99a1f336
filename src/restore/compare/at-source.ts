// What the platform that was mirrored need not tell, and every other one decides by itself.
import type { KindName } from '../../contract/index.ts';
import type { Resource } from '../../mirror/index.ts';

const DECIDED: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  space: ['editMode'],
  'site-section': ['default'],
  'site-space': ['default'],
  'share-link': ['active'],
};

/** Fields of which the snapshot says nothing, so that none of what the target may say is another. */
export function untoldAtSource({ kind, body }: Resource): readonly string[] {
  return (DECIDED[kind] ?? []).filter((field) => (body[field] ?? undefined) === undefined);
}
