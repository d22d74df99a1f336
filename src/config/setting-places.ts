// Where whoever is told to set something may do so.
import { SETTINGS } from './settings.ts';
import type { Setting } from './setting.ts';
import type { Config } from './types.ts';

/** The settings that set it; the one that belongs in a file stands last. */
const SET_BY = {
  baseUrl: ['platform.baseUrl'],
  token: ['platform.token', 'platform.tokenFile'],
} as const;

/** A platform of a list has its own token, in its entry: one in the environment is sent to none of them. */
export function placesOf(what: keyof typeof SET_BY, { name }: Pick<Config, 'name'>): string {
  const keys = SET_BY[what];
  const inFile = keys.at(-1) ?? keys[0];
  const all = keys.map((key): Pick<Setting<unknown>, 'environment' | 'flag'> => SETTINGS[key]);
  const flags = all.flatMap(({ flag }) => flag ?? []);
  if (name !== null) return `${inFile} of ${name} in the list of platforms (settings file), or ${flags.join(', ')}`;
  const variables = all.flatMap(({ environment }) => environment ?? []);
  return `${[...variables, ...flags].join(', ')} or ${inFile} in the settings file`;
}
