// A restored comment is posted by the account that restores; a visible first line says who wrote it and when.
import { inUtc, isRecord } from '../../base/index.ts';
import { commentText, textAt, type Body } from '../resource.ts';
import { withMentions } from './mentions.ts';

// A platform may write Markdown its own way: slanted by the other sign, with strokes before signs, another end of a line.
const CREDIT = /^\s*([_*])(.{1,300}) wrote on (\d{4}\\?-\d{2}\\?-\d{2} \d{2}\\?:\d{2}) UTC\\?:\1[ \t]*(?:\r?\n)+/;

/** Who wrote a comment and when, as its credit line says it. */
interface Credit {
  readonly author: string;
  /** To the minute, UTC. */
  readonly at: string;
}

/** By which a comment is known again, whatever it is called. */
export function wordsOf({ author, at }: Credit): string {
  return `${at} ${author}`;
}

/** The credit that a restored comment gets. */
export function creditOf(body: Body): Credit {
  const author = isRecord(body['postedBy']) ? (textAt(body['postedBy'], 'displayName') ?? '') : '';
  const at = inUtc(textAt(body, 'postedAt') ?? '');
  return {
    author: author.replaceAll(/[_\n\r*]/g, ' ').slice(0, 100) || 'Someone',
    at: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(at) ? at.slice(0, 16).replace('T', ' ') : '0000-00-00 00:00',
  };
}

/** The text of a comment below its credit line; null when it has no Markdown text. */
export function creditedText(body: Body): string | null {
  const text = commentText(body);
  const { author, at } = creditOf(body);
  return text === null ? null : `_${author} wrote on ${at} UTC:_\n\n${text}`;
}

/** The text without the credit line of a restore. */
export function withoutCredit(text: string): string {
  return text.replace(CREDIT, '');
}

/** The credit line that a restore wrote, with the name as it was before it was written so that it calls nobody; null when there is none. */
export function readCredit(text: string): Credit | null {
  const found = CREDIT.exec(text);
  const [author, at] = [found?.[2] ?? '', found?.[3] ?? ''].map(unescaped);
  return found && { author: withMentions(author ?? ''), at: at ?? '' };
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** What was made of a text, where the platform has not kept that word by word: the one of all that has its credit line. */
export function byCredit(text: string, all: readonly Body[]): Body | undefined {
  const credit = readCredit(text);
  const alike = all.filter((one) => {
    const there = readCredit(commentText(one) ?? '');
    return credit !== null && there !== null && wordsOf(there) === wordsOf(credit);
  });
  return alike.length < 2 ? alike[0] : alike.find((one) => letters(commentText(one) ?? '') === letters(text));
}

function letters(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
