import { showValue } from './errors.ts';
import { settingOf, type SettingKey } from './settings.ts';

/** What is wrong with a text that a person gives for a setting; null when it can be used. */
export function problemOfText(key: SettingKey, text: string): string | null {
  const setting = settingOf(key);
  if (setting.parse(setting.fromText(text)) !== undefined) return null;
  return `${showValue(text, setting.secret)} cannot be used; expected ${setting.expectedText}`;
}

/** A text that can be used, as it is understood: an address without the `/v1` that each request adds. */
export function understoodText(key: SettingKey, text: string): string {
  const setting = settingOf(key);
  const value: unknown = setting.parse(setting.fromText(text));
  return typeof value === 'string' ? value : text;
}

/** What a setting is when nobody gives it, as a person would type it; empty when nothing can be typed for it. */
export function defaultText(key: SettingKey): string {
  const value = settingOf(key).default;
  return typeof value === 'string' ? value : '';
}
