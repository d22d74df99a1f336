// What differs in one resource between two snapshots: its fields, and its text line by line.
import { isDeepStrictEqual } from 'node:util';
import { structuredPatch } from 'diff';
import { canonicalJson, isNestedDeeper } from '../../base/index.ts';
import { kindOf } from '../../contract/index.ts';
import type { Mirror } from '../database/database.ts';
import type { Difference } from './diff.ts';
import { readerAt, type Resource } from './reader.ts';

export interface FieldChange {
  readonly field: string;
  /** Absent where there was none. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface TextChange {
  /** Lines that are only in one of the two. */
  readonly added: number;
  readonly removed: number;
  /** Unified, without a head: `@@`, then lines that begin with a blank, `+` or `-`. */
  readonly lines: readonly string[];
  /** Lines that were left out because the text changed too much to show. */
  readonly hidden: number;
}

export interface DifferenceDetail extends Difference {
  /** Fields of a changed resource that differ; its place, its bytes. Empty for what was added or removed. */
  readonly fields: readonly FieldChange[];
  /** null where the text is the same or there is none. */
  readonly text: TextChange | null;
}

const MOST_LINES = 400;
// Beyond so many edits the two are not compared line by line any more: all of one goes, all of the other comes.
const MOST_EDITS = 1000;
const CONTEXT = 3;

/** Looks into one difference; its texts are read in whatever form they are stored. */
export function detailOf(
  mirror: Mirror,
  span: readonly [from: number, to: number],
  found: Difference,
): DifferenceDetail {
  const [before, after] = span.map((at) => readerAt(mirror, at).one(found.kind, found.key));
  const fields = before && after ? fieldChanges(before, after) : [];
  return { ...found, fields, text: textChange(before?.text ?? null, after?.text ?? null) };
}

/** True when nothing differs after all: it was changed and changed back. */
export function isSame({ change, fields, text }: DifferenceDetail): boolean {
  return change === 'changed' && fields.length === 0 && text === null;
}

/**
 * What a list tells of one difference: which fields, how many lines. Of thousands of pages, what stands in them would fill the memory;
 * and what came or went is not looked into, since a list tells no more of it than that.
 */
export function outlineOf(
  mirror: Mirror,
  span: readonly [from: number, to: number],
  found: Difference,
): DifferenceDetail {
  if (found.change !== 'changed') return { ...found, fields: [], text: null };
  const { fields, text, ...same } = detailOf(mirror, span, found);
  return { ...same, fields: fields.map(({ field }) => ({ field })), text: text && { ...text, lines: [] } };
}

function fieldChanges(before: Resource, after: Resource): FieldChange[] {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((field): FieldChange[] => {
    const [was, is] = [old[field], now[field]];
    if (isSameValue(was ?? null, is ?? null)) return [];
    return [{ field, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
}

// Levels. The quick comparison needs the stack for each; what is deeper is written out to be compared.
const MOST_LEVELS = 500;

function isSameValue(was: unknown, is: unknown): boolean {
  if (isNestedDeeper(was, MOST_LEVELS)) return canonicalJson(was) === canonicalJson(is);
  return isDeepStrictEqual(was, is);
}

/** Its body without what is no news, and what is kept beside it. */
function fieldsOf({ kind, body, parent, position, object }: Resource): Readonly<Record<string, unknown>> {
  const volatile = new Set(kindOf(kind).volatile ?? []);
  const kept = Object.entries(body).filter(([field]) => !volatile.has(field));
  return { ...Object.fromEntries(kept), parent: body['parent'] ?? parent, position, sha256: object?.sha256 ?? null };
}

function textChange(before: string | null, after: string | null): TextChange | null {
  if (before === after) return null;
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', before ?? '', after ?? '', '', '', options);
  const hunks = patch?.hunks ?? [wholly(linesOf(before), linesOf(after))];
  const all = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines]);
  return {
    added: all.filter((line) => line.startsWith('+')).length,
    removed: all.filter((line) => line.startsWith('-')).length,
    lines: all.slice(0, MOST_LINES),
    hidden: Math.max(0, all.length - MOST_LINES),
  };
}

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

function headOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  return `@@ -${placeOf(oldStart, oldLines)} +${placeOf(newStart, newLines)} @@`;
}

/** As `patch` reads it: no lines stand behind the one that is named. */
function placeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

/** With their ends: a last line without one is another line than the same with one. */
function linesOf(text: string | null): string[] {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** One hunk: from the first line that differs to the last all of one goes, all of the other comes. */
function wholly(old: readonly string[], now: readonly string[]): Hunk {
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < least - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const start = Math.max(0, head - CONTEXT);
  const kept = Math.min(tail, CONTEXT);
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail];
  return {
    oldStart: start + 1,
    oldLines: oldEnd + kept - start,
    newStart: start + 1,
    newLines: newEnd + kept - start,
    lines: [
      ...marked(' ', old.slice(start, head)),
      ...marked('-', old.slice(head, oldEnd)),
      ...marked('+', now.slice(head, newEnd)),
      ...marked(' ', old.slice(oldEnd, oldEnd + kept)),
    ],
  };
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
