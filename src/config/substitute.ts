// `${VARIABLE}` and `${file:PATH}` inside a scalar of the file, after parsing, so that a value can never become YAML.
import type { Environment } from '../base/index.ts';
import { ConfigError, showName } from './errors.ts';

export interface SubstitutionSources {
  environment: Environment;
  /** The text of a file, or null when there is none. */
  readFile(path: string): string | null;
}

const FILE = 'file:';
const VARIABLE = /^[a-z_][\w.-]*$/i;
const REFERENCE = /\$\$\{|\$\{([^}]*)\}/g;

/** True when the text asks for something to be put in. */
export function hasReference(text: string): boolean {
  return text.includes('${');
}

/** The paths of the files that the text names, as they stand there. */
export function filesNamedIn(text: string): string[] {
  const names = [...text.matchAll(REFERENCE)].map(([, name]) => name?.trim() ?? '');
  return names.filter((name) => name.startsWith(FILE)).map((name) => name.slice(FILE.length));
}

/** The text with every reference replaced; `$${` stands for a plain `${`. `at` names the place for errors. */
export function substitute(text: string, at: string, sources: SubstitutionSources): string {
  return text.replaceAll(REFERENCE, (whole: string, name: string | undefined) =>
    name === undefined ? '${' : resolveReference(name.trim(), `${at}: ${showName(whole)}`, sources),
  );
}

function resolveReference(name: string, at: string, sources: SubstitutionSources): string {
  if (name === FILE || (!name.startsWith(FILE) && !VARIABLE.test(name))) {
    throw new ConfigError('DM_CONFIG_INVALID', `${at} names nothing; expected \${VARIABLE} or \${file:PATH}`, {
      hint: 'Write the name alone: a value for when it is not set, as shells take one (:-), is not known here. For a plain ${ write $${.',
    });
  }
  if (name.startsWith(FILE)) {
    const path = name.slice(FILE.length);
    const content = sources.readFile(path);
    if (content !== null) return content.replace(/\r?\n$/, '');
    throw new ConfigError('DM_CONFIG_INVALID', `${at} names a file that is not there`, {
      hint: `Create ${path} or correct the path.`,
    });
  }
  const value = sources.environment[name];
  if (value !== undefined && value !== '') return value;
  const hint = `Set ${name}, or take the reference out of the file.`;
  throw new ConfigError('DM_CONFIG_INVALID', `${at} names an environment variable that is not set`, { hint });
}
