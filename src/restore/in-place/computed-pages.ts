// In place: pages that the platform makes from a specification when they are read. They follow that, and nobody can write them; so the text
// of the specification is set back, and they are left to it.
import { isRecord } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { isPartOfComputed } from '../special/page-fields.ts';
import { pageAbove } from '../special/page-places.ts';
import { textAt } from '../resource.ts';
import { currentText } from '../special/spec-text.ts';
import type { Choices, Mend } from '../types.ts';
import type { Changed, Divergence } from './divergence.ts';
import { seenState } from './writable.ts';
import type { Mending } from './input.ts';

/** One that was given as a text gets that text again; an address is set back like any other field. */
export function addSpecTextMends(planning: Mending, { changed }: Divergence, choices: Choices): void {
  if (!choices.changed) return;
  for (const one of changed) if (one.wanted.kind === 'openapi-spec') addSpecTextMend(planning, one);
}

function addSpecTextMend({ list, reader, live }: Mending, { wanted, live: now }: Changed): void {
  if (textAt(wanted.body, 'sourceURL') !== undefined) return;
  const was = currentText(reader, wanted);
  const [wrongThen, wrongNow] = [errorOf(wanted), errorOf(now)];
  const isText = textAt(now.body, 'sourceURL') === undefined;
  // Whatever it was given then and is given now that nobody could read, each is of no version: both show the same.
  if (isText && was === currentText(live, now) && (wrongThen !== null || wrongNow === null)) {
    if (wrongThen !== null && wrongNow === null) list.addUnsupported(wanted, unseen(wrongThen));
    return;
  }
  if (was === null)
    return list.addUnsupported(wanted, 'it was given as a text, and the snapshot does not hold that text');
  const mend: Mend = { expects: seenState(now), fields: [] };
  const gone = [
    ...(wrongThen === null ? [] : [unseen(wrongThen)]),
    ...(isText && wrongNow !== null ? [unseen(wrongNow, 'it has')] : []),
  ];
  const note = ['the text of its newest version then', ...gone].join('; ');
  list.add({ part: 'settings', of: wanted, note, mend });
}

/** Why the platform could make no version of what it was given last; null where it could. */
function errorOf({ body }: Resource): string | null {
  const code = body['lastProcessErrorCode'];
  return code === undefined ? null : typeof code === 'string' ? code : JSON.stringify(code);
}

/** Only versions show their text. */
function unseen(error: string, it = 'it had then'): string {
  return `the text that ${it}, which the platform could not read (${error}), is shown by no operation and does not come back`;
}

/** What is to be done about pages by hand: nothing that follows from a specification by itself. */
export function withoutComputed(planning: Mending, divergence: Divergence): Divergence {
  const { missing, changed, added } = divergence;
  const { reader, live } = planning;
  return {
    ...divergence,
    missing: missing.filter((one) => !isMade(one, [reader, live])),
    changed: changed
      .filter(({ wanted }) => !isMade(wanted, [reader, live]))
      .map((one) => (isComputed(one.wanted) && isComputed(one.live) ? withTextOf(one) : one)),
    // Of a computed page that goes, they go along.
    added: added.filter((one) => !isMade(one, [live])),
  };
}

function isComputed({ kind, body }: Pick<Resource, 'kind' | 'body'>): boolean {
  return kind === 'page' && isRecord(body['computed']);
}

type Placed = Pick<Resource, 'kind' | 'key' | 'parent' | 'body'>;

/** True for a page below one that is computed on all of these sides: it comes and goes with what that is made from. */
export function isMade(page: Placed, sides: readonly SnapshotReader[]): boolean {
  if (page.kind !== 'page') return false;
  return sides.every((side) => {
    const entry = pageAbove(side, page);
    return entry !== undefined && isPartOfComputed(page.body, entry.body);
  });
}

/** Its title and its place are its own. */
function withTextOf({ wanted, live }: Changed): Changed {
  return { wanted: { ...wanted, text: live.text }, live };
}
