// What has given way to another one of a site, and has a path of the restore until its own step.
import { sha256 } from '../../base/index.ts';
import type { KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { FieldsWritten } from './touched.ts';

/** The field by which people find something, and in which no other beside it may have the same. */
export const PATH_FIELDS = {
  site: 'basename',
  'site-section': 'path',
  'site-space': 'path',
} as const satisfies Partial<Record<KindName, string>>;

const PATH_LENGTH = 12;

/** The same each time, so that a resume and an undo find what was left. */
export function temporaryPath(restore: string, holder: string): string {
  return `p-${sha256(`${restore} ${holder}`).slice(0, PATH_LENGTH)}`;
}

export interface Aside {
  readonly kind: keyof typeof PATH_FIELDS;
  readonly id: string;
  readonly path: string;
}

/** What still has such a path: the restore ended before its step, or that failed. */
export function pathsAside(live: SnapshotReader, restore: string, organization: string): Aside[] {
  const kinds = Object.keys(PATH_FIELDS) as Aside['kind'][];
  return kinds.flatMap((kind) =>
    [...live.resources(kind, organization)].flatMap(({ id, body }) => {
      const path = temporaryPath(restore, id);
      return body[PATH_FIELDS[kind]] === path ? [{ kind, id, path }] : [];
    }),
  );
}

/** With the paths of these, of which no step of theirs tells. Of what was written whole all is told. */
export function withAside(
  wrote: FieldsWritten,
  asides: readonly Aside[],
  isWhole: (one: Aside) => boolean,
): FieldsWritten {
  const known = new Map(asides.map((one) => [`${one.kind} ${one.id}`, one]));
  return (resource) => {
    const own = wrote(resource);
    const aside = known.get(`${resource.kind} ${resource.id}`);
    if (aside === undefined || (own === null && isWhole(aside))) return own;
    return new Map([...(own ?? []), [PATH_FIELDS[aside.kind], aside.path]]);
  };
}
