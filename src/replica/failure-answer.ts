// What the replica says of a failure of its own. Whoever reads it has the token of the replica and no business with this machine: so it
// is made of the code alone, and what the error says of paths and values stays in the log.
import { ERROR_CODES, type ErrorCode } from '../base/index.ts';
import { Refusal, refusalAnswer, type Answer } from '../contract/index.ts';

const IN_THE_LOG = 'Ask again; if that does not help, whoever runs Docmirror finds the reason in its log';

const NEXT: Partial<Record<ErrorCode, string>> = {
  DM_NO_SNAPSHOT: 'Ask again after the first complete walk (`docmirror sync`), or ask for another snapshot with ?at=',
  DM_INCOMPLETE:
    'The walk could not read what is asked for, and none before it had: ask again after the next one, or for another snapshot with ?at=',
  DM_DATABASE_DAMAGED: 'Whoever runs Docmirror looks at what is stored with `docmirror check`; its log has the reason',
  DM_DATABASE_NEWER:
    'Whoever runs Docmirror starts it anew: the mirror was written by a newer release than the one that answers',
  DM_DATA_DIR_UNUSABLE:
    'Whoever runs Docmirror looks at its data directory with `docmirror doctor`; its log has the reason',
};

/** Of a complete snapshot nothing else is lacking. */
const REFUSED =
  'The platform refuses to the token of the walk what is asked for, or does not have it, as was accepted: the next walk will not have it either, unless that ends';

/** Another walk may do away with it. */
const LATER: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DM_NO_SNAPSHOT', 'DM_INCOMPLETE']);

/**
 * The error body of the platform, with our code in its message and in the header `Docmirror-Error`. The headers that name a snapshot
 * are of one that could not read what is asked for.
 */
export function failureAnswer(code: ErrorCode, headers: Readonly<Record<string, string>> = {}): Answer {
  const status = LATER.has(code) ? 503 : 500;
  const { 'docmirror-snapshot': snapshot } = headers;
  const why = snapshot === undefined ? '' : `; \`docmirror snapshots show ${snapshot}\` says why`;
  const isRefused = code === 'DM_INCOMPLETE' && headers['docmirror-snapshot-state'] === 'complete';
  const next = `${isRefused ? REFUSED : (NEXT[code] ?? IN_THE_LOG)}${why}`;
  const message = `The replica could not answer (${code}): ${ERROR_CODES[code].summary} ${next}`;
  return refusalAnswer(new Refusal(status, message), { ...headers, 'docmirror-error': code });
}
