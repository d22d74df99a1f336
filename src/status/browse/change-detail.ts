// What changed in one resource between two snapshots: its fields, and its text line by line.
import { html } from 'hono/html';
import { count, thousands, toldApart, valuesApart } from '../../base/index.ts';
import { kindOf, type KindName } from '../../contract/index.ts';
import { detailOf, labelOf, readerAt, type FieldChange, type Resource, type TextChange } from '../../mirror/index.ts';
import { section, type Html } from '../pages/layout.ts';
import { kindWord } from '../pages/words.ts';
import { pagePath } from './addresses.ts';
import type { Span } from './changes.ts';
import { shell } from './shell.ts';
import type { Visit } from './visit.ts';

/** Null when neither snapshot has it. */
export function changeDetailView(visit: Visit, span: Span, what: { kind: KindName; key: string }): Html | null {
  const ids: readonly [number, number] = [span.from.id, span.to.id];
  const [before, after] = ids.map((id) => readerAt(visit.mirror, id).one(what.kind, what.key));
  const either = after ?? before;
  if (!either) return null;
  const change = !before ? 'added' : !after ? 'removed' : 'changed';
  const label = labelOf(visit.mirror, ids, what);
  const detail = detailOf(visit.mirror, ids, { ...what, change, label, space: either.params['spaceId'] ?? null });
  const title = `${kindWord(what.kind)} ${label}: ${change}`;
  const body = html`<h1 class="title">${title}</h1>
    <p>${links(span, what, { before: before !== undefined, after: after !== undefined })}</p>
    ${fieldTable(change === 'changed' || detail.text !== null ? detail.fields : wholeOf(either, change))}
    ${textDiff(detail.text)}
    ${
      detail.fields.length === 0 && detail.text === null && change === 'changed'
        ? html`<section><p>Nothing differs: it was changed and changed back, or only in what is no news.</p></section>`
        : ''
    }`;
  const crumb = { href: `/browse/changes?from=${ids[0]}&to=${ids[1]}`, name: `Changes ${ids[0]} to ${ids[1]}` };
  return shell(visit, { title, crumbs: [crumb], body, taken: [span.from, span.to], titled: true });
}

function links(
  { from, to }: Span,
  { kind, key }: { kind: KindName; key: string },
  has: { before: boolean; after: boolean },
): Html | string {
  if (kind !== 'page') return '';
  const [space = '', page = ''] = key.split('/');
  const led = (id: number, words: string): Html => html`<a href="${pagePath(space, page, `?at=${id}`)}">${words}</a> `;
  return html`${has.before ? led(from.id, `as of snapshot ${from.id}`) : ''}
  ${has.after ? led(to.id, `as of snapshot ${to.id}`) : ''}`;
}

/** What came or went, field by field. */
function wholeOf({ kind, body }: Resource, change: 'added' | 'removed'): FieldChange[] {
  const volatile = new Set<string>(kindOf(kind).volatile);
  const fields = Object.entries(body).filter(([field]) => !volatile.has(field));
  return fields.map(([field, value]) => ({ field, [change === 'added' ? 'after' : 'before']: value }));
}

const LONGEST = 2000;
const LONGEST_LINE = 10_000;

function wordsOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fieldTable(fields: readonly FieldChange[]): Html | string {
  if (fields.length === 0) return '';
  return section(
    'Fields',
    html`<div class="scroll">
      <table class="fields">
        <tr>
          <th>Field</th>
          <th class="wide">Before</th>
          <th class="wide">After</th>
        </tr>
        ${fields.map(({ field, before, after }) => {
          const [was, is] = valuesApart(wordsOf(before), wordsOf(after), LONGEST);
          return html`<tr>
            <td>${field}</td>
            <td class="wide">${was}</td>
            <td class="wide">${is}</td>
          </tr>`;
        })}
      </table>
    </div>`,
  );
}

const LINE_CLASSES: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'hunk' };

function textDiff(change: TextChange | null): Html | string {
  if (change === null) return '';
  return section(
    'Text',
    html`<p class="soft">${count(change.added, 'line')} came, ${thousands(change.removed)} went</p>
      <div class="diff">
        ${toldApart(change.lines, LONGEST_LINE).map((line) => html`<div class="${LINE_CLASSES[line.charAt(0)] ?? 'same'}">${line}</div>`)}
      </div>
      ${change.hidden > 0 ? html`<p class="soft">and ${count(change.hidden, 'line')} more</p>` : ''}`,
  );
}
