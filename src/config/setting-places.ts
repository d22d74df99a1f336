// Where whoever is told to set something may do so.
import type { Config } from './types.ts';

const EVERYWHERE = {
  baseUrl: 'DOCMIRROR_BASE_URL, --base-url or platform.baseUrl in the settings file',
  token: 'DOCMIRROR_TOKEN, DOCMIRROR_TOKEN_FILE, --token-file or platform.tokenFile in the settings file',
} as const;

/** A platform of a list has its own token, in its entry: one in the environment is sent to none of them. */
export function placesOf(what: keyof typeof EVERYWHERE, { name }: Pick<Config, 'name'>): string {
  if (name === null) return EVERYWHERE[what];
  const [setting, flag] =
    what === 'token' ? ['platform.tokenFile', '--token-file'] : ['platform.baseUrl', '--base-url'];
  return `${setting} of ${name} in the list of platforms (settings file), or ${flag}`;
}
