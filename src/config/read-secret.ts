import { Secret } from '../base/index.ts';
import { badValue, ConfigError, showName, showValue } from './errors.ts';
import type { Values } from './read-values.ts';
import { settingOf, type SettingKey } from './settings.ts';

export interface SecretContext {
  /** The text of a file, or null when there is none. */
  readFile(path: string): string | null;
}

/** The secrets that may stand in a file of their own: the setting of the same name with `File` behind it names it. */
export const FILED_SECRETS = [
  'platform.token',
  'target.token',
  'replica.token',
  'status.token',
  'notify.pingStart',
  'notify.pingSuccess',
  'notify.pingFailure',
  'notify.webhook',
  'notify.mailUrl',
] as const satisfies readonly SettingKey[];

type SecretKey = (typeof FILED_SECRETS)[number];

/**
 * A secret and the file that holds it are one setting given in two ways: the later layer wins, both in one layer is a
 * contradiction. Throws DM_CONFIG_INVALID, also for a file that is not there or holds something else.
 */
export function readSecret(key: SecretKey, values: Values, context: SecretContext): Secret | null {
  const fileKey = `${key}File` as const;
  const given = values.get(key);
  const file = values.get(fileKey);
  const givenAt = values.given(key);
  const fileAt = values.given(fileKey);
  if (given !== null && file !== null && givenAt.layer === fileAt.layer) {
    const message = `Settings ${key} (${givenAt.at}) and ${fileKey} (${fileAt.at}) contradict each other; expected one`;
    throw new ConfigError('DM_CONFIG_INVALID', message, { hint: 'Take one of the two away.' });
  }
  if (given !== null && (file === null || givenAt.layer > fileAt.layer)) return Secret.of(given);
  return file === null ? null : readSecretFile(key, values, context);
}

function readSecretFile(key: SecretKey, values: Values, context: SecretContext): Secret {
  const fileKey = `${key}File` as const;
  const { at } = values.given(fileKey);
  const file = values.get(fileKey) ?? '';
  const text = context.readFile(file);
  if (text === null) {
    throw new ConfigError(
      'DM_CONFIG_INVALID',
      `Setting ${fileKey} (${at}) names ${showName(file)}, which is not there`,
      {
        hint: 'Create the file or correct the path.',
      },
    );
  }
  const setting = settingOf(key);
  const secret = text.trim();
  if (setting.parse(secret) === undefined) {
    throw badValue({ key, at: file, shown: showValue(secret, true) }, setting.expectedText);
  }
  return Secret.of(secret);
}
