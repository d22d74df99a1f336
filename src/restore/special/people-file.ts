// The file in which a person says who of the snapshot is who on the target: YAML, of which JSON is a part.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { AppError, isRecord } from '../../base/index.ts';
import type { PeopleChoice } from './people.ts';

const DEFAULT = 'default';

/** Reads it. Throws DM_USAGE when it cannot be read or is anything but names to names. */
export async function readPeopleFile(file: string): Promise<PeopleChoice> {
  const content = await contentOf(file);
  if (!isRecord(content)) throw unusable(file, 'it is no list of "who: who"');
  const entries: Record<string, string> = {};
  for (const [name, to] of Object.entries(content)) {
    if (typeof to !== 'string' || to.trim() === '') throw unusable(file, `${name} is ${JSON.stringify(to)}`);
    entries[name] = to.trim();
  }
  const { [DEFAULT]: standIn = null, ...others } = entries;
  return { entries: others, standIn };
}

async function contentOf(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, 'utf8'), { uniqueKeys: true });
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
