// The configuration that `init` writes: only what was answered, each with what it means.
import { stringify } from 'yaml';
import { settingsTable } from '../config/index.ts';

/** Answers by the keys of the settings, in the order in which they are to stand. */
export type Answers = ReadonlyMap<string, string | number | null>;

/** The YAML, with the description of each setting above it. */
export function configurationText(answers: Answers): string {
  const about = new Map(settingsTable().map((row) => [row.key, row.description]));
  const lines = ['# Written by `docmirror init`. Every setting: config/docmirror.example.yaml', ''];
  let section = '';
  for (const [key, value] of answers) {
    const [first = '', second] = key.split('.');
    const indent = second === undefined ? '' : '  ';
    if (second !== undefined && first !== section) lines.push(`${first}:`);
    section = second === undefined ? '' : first;
    lines.push(`${indent}# ${about.get(key) ?? key}`, `${indent}${second ?? first}: ${scalar(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function scalar(value: string | number | null): string {
  return stringify(typeof value === 'string' ? value.replaceAll('${', () => '$${') : value, { lineWidth: 0 }).trim();
}
