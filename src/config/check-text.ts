import { showValue } from './errors.ts';
import { settingOf, type SettingKey } from './settings.ts';

/** What is wrong with a text that a person gives for a setting; null when it can be used. */
export function problemOfText(key: SettingKey, text: string): string | null {
  const setting = settingOf(key);
  if (setting.parse(setting.fromText(text)) !== undefined) return null;
  return `${showValue(text, setting.secret)} cannot be used; expected ${setting.expectedText}`;
}

/** What a setting is when nobody gives it, as a person would type it; empty when nothing can be typed for it. */
export function defaultText(key: SettingKey): string {
  const value = settingOf(key).default;
  return typeof value === 'string' ? value : '';
}
