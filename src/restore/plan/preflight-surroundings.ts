// What is told before the first write beside rights and clashes: people, mail, making spaces, and whether the platform can reach the content.
import { few, isOfThisMachine } from '../../base/index.ts';
import { isComment } from '../../contract/index.ts';
import { hostAsked, isOwnHost } from '../content/content-place.ts';
import { mentions } from '../special/mentions.ts';
import { memberName } from '../special/people.ts';
import { commentText, textAt } from '../resource.ts';
import { currentText, hadTextOfAddress } from '../special/spec-text.ts';
import type { PreflightInput } from './preflight.ts';
import type { PreflightCheck } from '../types.ts';

export function surroundings(input: PreflightInput): PreflightCheck[] {
  return [
    ...peopleCheck(input),
    ...commentsCheck(input),
    ...spacesCheck(input),
    ...specsCheck(input),
    ...contentCheck(input),
  ];
}

const SHOWN_NAMES = 10;

/** Only where members or teams come back does it matter who is who. */
function peopleCheck({ steps, target, people: { people, standIn, strangers } }: PreflightInput): PreflightCheck[] {
  if (!steps.some(({ kind }) => kind === 'team' || kind === 'member')) return [];
  const check = 'people';
  const number = Object.keys(people).length;
  const known = `${number} of the snapshot ${number === 1 ? 'is' : 'are'} known on the target`;
  if (strangers.length === 0) return [{ check, state: 'ok', detail: known }];
  const instead =
    standIn === null
      ? 'say who they are with --people FILE'
      : `${memberName(target.members, standIn)} stands in for them in teams`;
  return [
    { check, state: 'warn', detail: `${known}; no member of the target is ${few(strangers, SHOWN_NAMES)}: ${instead}` },
  ];
}

/** Whoever follows a page or is named in a comment may get a mail for each. */
function commentsCheck({ steps, reader, keepMentions }: PreflightInput): PreflightCheck[] {
  const comments = steps.filter(({ kind, part }) => isComment(kind) && part === 'create');
  if (comments.length === 0) return [];
  const calling = comments.filter(({ kind, key }) => mentions(commentText(reader.one(kind, key)?.body ?? {}) ?? ''));
  const named =
    calling.length === 0
      ? 'none mentions anybody'
      : `${calling.length} ${calling.length === 1 ? 'mentions' : 'mention'} somebody`;
  const how = calling.length === 0 ? named : `${named}, ${keepMentions ? 'as they did' : 'defused'}`;
  const detail = `${comments.length} written last, which may mail people (${how}); apply --without-comments leaves them for a resume`;
  return [{ check: 'comments', state: keepMentions && calling.length > 0 ? 'warn' : 'ok', detail }];
}

/** Whether the target offers its create operation shows with the first space: nothing tells it without writing. */
function spacesCheck({ steps, donor }: PreflightInput): PreflightCheck[] {
  if (!steps.some(({ kind, part }) => kind === 'space' && part === 'create')) return [];
  const copied = donor === null ? 'an empty one that was made' : `the empty space ${donor}`;
  const detail = `by the create operation; where there is none, by copying ${copied}, else by a site that is deleted again`;
  return [{ check: 'making spaces', state: 'ok', detail }];
}

/** Addresses that could not be read in the snapshot already will hardly be read from the target. */
function specsCheck({ steps, reader }: PreflightInput): PreflightCheck[] {
  const made = steps.filter(({ kind, part }) => kind === 'openapi-spec' && part === 'create');
  const dead = made.flatMap(({ key }) => {
    const spec = reader.one('openapi-spec', key);
    const error = spec && textAt(spec.body, 'lastProcessErrorCode');
    if (!spec || error === undefined || !hadTextOfAddress(spec.body)) return [];
    const then = currentText(reader, spec) === null ? 'comes back without a text' : 'its newest text goes in instead';
    return [`${spec.id} (${error}): ${then}`];
  });
  if (dead.length === 0) return [];
  const detail = `could not be read when they were mirrored; where the platform cannot read them either: ${few(dead, SHOWN_NAMES)}`;
  return [{ check: 'specification addresses', state: 'warn', detail }];
}

/** From here it can be asked; whether the platform's own network lets it through shows with the first import. */
function contentCheck({ contentServer, targetUrl, probe }: PreflightInput): PreflightCheck[] {
  if (probe === null) return [];
  const check = 'content address';
  const host = hostAsked(contentServer);
  if (typeof probe === 'object') {
    const detail = `asked from this machine, ${host} does not lead to the content: ${probe.why}`;
    return [{ check, state: 'warn', detail }];
  }
  if (isOwnHost(host) && !isOfThisMachine(new URL(targetUrl).hostname)) {
    const how = 'set contentServer.publicUrl, or contentServer.directory with its addressTemplate';
    return [{ check, state: 'warn', detail: `the platform cannot reach ${host} from where it runs: ${how}` }];
  }
  const asked = probe === 'reached' ? 'asked from this machine, it answers' : 'the own server';
  return [{ check, state: 'ok', detail: `the platform fetches content from ${host} (${asked})` }];
}
