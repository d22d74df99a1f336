// The file in which a person says who of the snapshot is who on the target: YAML, of which JSON is a part.
import { parse } from 'yaml';
import { AppError, isRecord } from '../../base/index.ts';
import { readTextFile } from '../../config/index.ts';
import type { PeopleChoice } from '../../restore/index.ts';

const DEFAULT = 'default';
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads it. Throws DM_USAGE when it cannot be read, is anything but names to names, or is a pipe from which nothing comes for
 * `patienceMs`.
 */
export function readPeopleFile(file: string, patienceMs?: number): PeopleChoice {
  const content = contentOf(file, patienceMs);
  if (!isRecord(content)) throw unusable(file, 'it is no list of "who: who"');
  const entries: Record<string, string> = {};
  for (const [name, to] of Object.entries(content)) {
    if (typeof to !== 'string' || to.trim() === '') throw unusable(file, `${name} is ${JSON.stringify(to)}`);
    entries[name] = to.trim();
  }
  const { [DEFAULT]: standIn = null, ...others } = entries;
  return { entries: others, standIn };
}

function contentOf(file: string, patienceMs?: number): unknown {
  try {
    const text = readTextFile(file, { mostBytes: MOST_BYTES, ...(patienceMs === undefined ? {} : { patienceMs }) });
    if (text === null) throw new Error('there is no such file');
    return parse(text, { uniqueKeys: true });
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'it is damaged';
    throw unusable(file, why, cause);
  }
}

function unusable(file: string, why: string, cause?: unknown): AppError {
  return new AppError('DM_USAGE', `The file of people ${file} cannot be used: ${why}`, {
    hint: 'Expected YAML or JSON: "ID or e-mail address in the snapshot: ID or e-mail address on the target", and "default: WHO" for all others.',
    ...(cause === undefined ? {} : { cause }),
  });
}
