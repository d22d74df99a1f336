// A resource without an id by which it can be asked for is not taken in: who runs the walk is told what it has instead.
import { valueAt } from '../../base/index.ts';
import { kindOf, ownParameter, type KindName } from '../../contract/index.ts';
import { keyOf, type Held } from '../../mirror/index.ts';
import { undocumented } from '../failures.ts';
import { idIn, LONGEST_ID, type Body } from './parts.ts';

const LONGEST_SHOWN = 100;

/** The id of a resource in its body; throws DM_BAD_RESPONSE with what stands in its place. `which` names the resource: "A space". */
export function demandId(kind: KindName, body: Body, which: string): string {
  const id = idIn(kind, body);
  if (id === undefined) throw undocumented(`${which} has ${otherThanId(kind, body)}`);
  return id;
}

/** Throws DM_BAD_RESPONSE unless the answer of a direct read is of what was asked for. */
export function demandSame({ kind, params }: Pick<Held, 'kind' | 'params'>, answer: Body): void {
  const asked = params[ownParameter(kind)] ?? '';
  const said = idIn(kind, answer);
  if (said !== asked)
    throw undocumented(
      `The answer for ${kind} ${keyOf(kind, params)} has the id ${said ?? '(none)'}; expected ${asked}`,
    );
}

/** What a resource has for an id that is none, and what is expected of one. */
export function otherThanId(kind: KindName, body: Body): string {
  const field = kindOf(kind).id ?? 'id';
  const said = JSON.stringify(valueAt(body, field));
  if (said === undefined) return `no ${field}`;
  const shown = said.length > LONGEST_SHOWN ? `${said.slice(0, LONGEST_SHOWN)}… (${said.length} characters)` : said;
  return `the ${field} ${shown}; expected a text of 1 to ${LONGEST_ID} characters without a slash that can stand in an address`;
}
