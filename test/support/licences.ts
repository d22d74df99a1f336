// What the product is shipped with: production dependencies with those that they bring along, and under which licences.
import { readFileSync } from 'node:fs';

export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** As an SPDX expression. */
  readonly licence: string;
  /** Where its package.json stands. */
  readonly path: string;
}

/** Licences under which a dependency may be used, changed and shipped in a product of any licence, with a notice. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Zlib',
  'PSF-2.0',
  'OFL-1.1',
  'Bitstream-Vera',
]);

/** What the licence file of a package says whose package.json names none, or none that is known. Another version is to be read anew. */
const READ: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf@2.37.3': 'Bitstream-Vera',
  'duck@0.1.12': 'BSD-2-Clause',
  'png-js@2.0.0': 'MIT',
};

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Every package that `npm ci --omit=dev` may install, by name and version. */
export function shipped(): Shipped[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
  const found = Object.entries(packages).flatMap(([path, { version = '', license, dev, devOptional }]): Shipped[] => {
    if (path === '' || dev === true || devOptional === true) return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [{ name, version, licence: READ[`${name}@${version}`] ?? license ?? 'none', path }];
  });
  const byName = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byName.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** True when one of the alternatives holds nothing but allowed licences. */
export function isAllowed(licence: string): boolean {
  const alternatives = licence.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((name) => ALLOWED.has(name)));
}

/** THIRD-PARTY-LICENCES.md as it is to be. */
export function licencesDocument(all: readonly Shipped[]): string {
  const rows = all.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return [
    '# Licences of third parties',
    '',
    'Docmirror is under the MIT licence. These packages are installed with it (`npm ci --omit=dev`), each with its licence text in its folder of `node_modules`. Written by `UPDATE_DOCS=1 npx vitest run test/licences.test.ts`; a test refuses a list that is out of date, and a licence that is not on the list of those allowed.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
