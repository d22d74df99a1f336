// What is set back may be a reference: people know what it names by its title, not by its id.
import { isKindName, kindOf, type KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { titleOf } from '../resource.ts';
import type { FieldMend, PlanStep } from '../types.ts';
import { SITE_DEFAULTS } from './site-defaults.ts';

interface Sides {
  readonly reader: SnapshotReader;
  readonly live: SnapshotReader;
}

/** The steps, with the titles of what their fields name. */
export function withNames(steps: readonly PlanStep[], sides: Sides): PlanStep[] {
  return steps.map((step) => {
    const { mend } = step;
    return mend === undefined
      ? step
      : { ...step, mend: { ...mend, fields: mend.fields.map(namedBy(sides, step.kind)) } };
  });
}

/** Where both have one title, the ids tell them apart. */
function namedBy({ reader, live }: Sides, of: KindName): (mend: FieldMend) => FieldMend {
  return (mend) => {
    const { field, from, to } = mend;
    const kind = kindNamedBy(of, field);
    if (kind === undefined) return mend;
    const [was, is] = [titleIn([live, reader], kind, from), titleIn([reader, live], kind, to)];
    const isSame = was !== null && was === is;
    const said = (title: string | null, id: unknown): unknown => (isSame ? `${title} (${String(id)})` : (title ?? id));
    return { ...mend, named: { from: said(was, from), to: said(is, to) } };
  };
}

/** The kind of what a field, or a part of it, names by its id. */
function kindNamedBy(of: KindName, field: string): KindName | undefined {
  const { refs, embeds } = kindOf(of);
  const all = Object.entries<string>({ ...SITE_DEFAULTS, ...embeds, ...refs });
  const [, kind = ''] = all.find(([path]) => path === field || path.startsWith(`${field}.`)) ?? [];
  return isKindName(kind) ? kind : undefined;
}

/** On the side where it stood, else on the other; null where neither knows it. */
function titleIn(sides: readonly SnapshotReader[], kind: KindName, id: unknown): string | null {
  if (typeof id !== 'string') return null;
  for (const side of sides)
    for (const key of side.keysOf(kind, id)) {
      const found = side.one(kind, key);
      if (found) return titleOf(found);
    }
  return null;
}
