// A restored comment is posted by the account that restores; a visible first line says who wrote it and when.
import { isRecord } from '../base/index.ts';

type Body = Readonly<Record<string, unknown>>;

const CREDIT = /^_.{1,200} wrote on \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC:_\n\n/;

/** The text of a comment below its credit line; null when it has no Markdown text. */
export function creditedText(body: Body): string | null {
  const text = textOf(body);
  if (text === null) return null;
  const author = isRecord(body['postedBy']) ? String(body['postedBy']['displayName'] ?? 'Someone') : 'Someone';
  const at = String(body['postedAt'] ?? '')
    .slice(0, 16)
    .replace('T', ' ');
  return `_${author.replaceAll(/[_\n\r*]/g, ' ').slice(0, 100)} wrote on ${at || '0000-00-00 00:00'} UTC:_\n\n${text}`;
}

/** The Markdown of a comment as the platform sent it. */
export function textOf(body: Body): string | null {
  const inner = body['body'];
  return isRecord(inner) && typeof inner['markdown'] === 'string' ? inner['markdown'] : null;
}

/** The text without the credit line of a restore. */
export function withoutCredit(text: string): string {
  return text.replace(CREDIT, '');
}
