import { badValue, showValue } from './errors.ts';
import { isText, type Given, type Layer } from './layers.ts';
import type { Setting } from './setting.ts';
import { SETTING_KEYS, SETTINGS, settingOf, type SettingKey, type SettingValue } from './settings.ts';

/** The checked values of all settings. */
export interface Values {
  get<K extends SettingKey>(key: K): SettingValue<K>;
  given(key: SettingKey): Given;
}

/** Checks every value; throws DM_CONFIG_INVALID for the first that is wrong, naming key, place, value and what is expected. */
export function readValues(layer: Layer): Values {
  for (const key of SETTING_KEYS) parseSetting(settingOf(key), key, givenOf(layer, key));
  return {
    get: (key) => getValue(layer, key),
    given: (key) => givenOf(layer, key),
  };
}

/** Checks what is given in one place, though another may go before it: there it would be found on the day on which that is taken away. */
export function checkLayer(layer: Layer): void {
  for (const [key, given] of layer) parseSetting(settingOf(key), key, given);
}

function getValue<K extends SettingKey>(layer: Layer, key: K): SettingValue<K> {
  // The table pairs each key with the type of its value, which the compiler cannot follow through a type parameter.
  const setting = SETTINGS[key] as unknown as Setting<SettingValue<K>>;
  return parseSetting(setting, key, givenOf(layer, key));
}

function parseSetting<T>(setting: Setting<T>, key: SettingKey, given: Given): T {
  const value = setting.parse(given.value);
  if (value === undefined) {
    const expected = isText(given) ? setting.expectedText : setting.expected;
    throw badValue({ key, at: given.at, shown: showValue(given.value, setting.secret) }, expected);
  }
  return value;
}

function givenOf(layer: Layer, key: SettingKey): Given {
  return layer.get(key) ?? { value: settingOf(key).default, at: 'default', layer: 0 };
}
