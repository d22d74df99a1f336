// Numbers of texts say nothing to people: what holds each, or held it last.
import { kindNames } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import { sharedRowsOf } from '../views/shared-rows.ts';
import type { CheckProblem } from './check.ts';

interface Holder {
  readonly body: number;
  readonly text: number | null;
  readonly name: string;
}

/** Problems of bodies, each with the name of what holds it behind its number. */
export function withHolders({ store }: Mirror, problems: readonly CheckProblem[]): CheckProblem[] {
  if (problems.length === 0) return [];
  const numbers = JSON.stringify(problems.map(({ which }) => Number(which)));
  const names = new Map<string, string>();
  // Later rows win: what holds it now comes last, and what has it of its own behind what shows it as another does.
  for (const sql of [...SHARED, OWN])
    for (const { body, text, name } of store.prepare<Holder>(sql).iterate({ numbers }))
      for (const bid of [body, text]) names.set(String(bid), ` (${name})`);
  return problems.map((one) => ({ ...one, which: one.which + (names.get(one.which) ?? '') }));
}

const DAMAGED = 'with damaged as materialized (select value from json_each(@numbers))';

const OWN = `${DAMAGED}
select v.body, v.text, r.kind || ' ' || r.key as name from versions v join resources r on r.rid = v.rid
where v.body in damaged or v.text in damaged order by v.valid_to is null, v.vid`;

// One text is shared by many.
const SHARED = sharedRowsOf(kindNames).map(
  ({ sql }) => `${DAMAGED}
select body, text, kind || ' ' || min(key) as name from (${sql}) where body in damaged or text in damaged group by body, text`,
);
