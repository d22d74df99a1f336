// The rules of the architecture as functions over source text, so that a test can show that each one can fail.
import path from 'node:path';

/** Path from the root of the repository (`src/base/clock.ts`) to text. */
export type Sources = ReadonlyMap<string, string>;

const WIRED = 'base contract document config client mirror platform walker export replica status restore daemon'.split(
  ' ',
);

/** Who may import whom: a second, independent statement of the table in the README and in the lint configuration. */
export const IMPORT_TABLE: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: [],
  config: ['base', 'contract'],
  client: ['base', 'contract'],
  mirror: ['base', 'contract'],
  document: ['base'],
  platform: ['base', 'contract', 'document'],
  walker: ['base', 'contract', 'client', 'mirror'],
  export: ['base', 'contract', 'mirror'],
  replica: ['base', 'contract', 'document', 'mirror'],
  status: ['base', 'contract', 'document', 'mirror'],
  restore: ['base', 'contract', 'client', 'mirror', 'export'],
  daemon: ['base', 'status'],
  app: WIRED,
  cli: [...WIRED, 'app'],
  main: ['base', 'cli'],
};

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*'(\.[^']+)'|(?:^|\n)\s*import\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/g;

/** Every relative import of a program, resolved to a path from the root. */
export function importsOf(sources: Sources): Import[] {
  return [...sources]
    .flatMap(([from, text]) =>
      [...withoutComments(text).matchAll(IMPORT)].map((match) => {
        const specifier = match[2] ?? match[3] ?? match[4] ?? '';
        return { from, to: path.posix.join(path.posix.dirname(from), specifier), typeOnly: match[1] !== undefined };
      }),
    )
    .filter(({ to }) => !to.endsWith('.json'));
}

/** `src/base/clock.ts` is in `base`; `src/app.ts` is a room of its own. */
export function roomOf(file: string): string {
  return (file.split('/')[1] ?? file).replace(/\.ts$/, '');
}

export function importTableViolations(sources: Sources): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => roomOf(from) !== roomOf(to) && !(IMPORT_TABLE[roomOf(from)] ?? []).includes(roomOf(to)))
    .map(({ from, to }) => `${from} imports ${to}: ${roomOf(from)} may not import ${roomOf(to)}`);
}

export function unknownRooms(sources: Sources): string[] {
  return [...new Set([...sources.keys()].map(roomOf))].filter((room) => !Object.hasOwn(IMPORT_TABLE, room));
}

export function sideDoorViolations(sources: Sources): string[] {
  const isDoor = (file: string): boolean => /^src\/[^/]+(\/index)?\.ts$/.test(file);
  return importsOf(sources)
    .filter(({ from, to }) => roomOf(from) !== roomOf(to) && !isDoor(to))
    .map(({ from, to }) => `${from} imports ${to}: a room is entered by its index.ts`);
}

/** Cycles of files; what is imported only as a type is gone at run time and does not count. */
export function cycles(sources: Sources): string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to, typeOnly } of importsOf(sources)) {
    if (!typeOnly) edges.set(from, [...(edges.get(from) ?? []), to]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push([...trail.slice(start), file].join(' -> '));
    if (start >= 0 || done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

const MAX_LINES = 300;

export function tooLong(sources: Sources): string[] {
  return [...sources]
    .filter(([file]) => roomOf(file) !== 'contract')
    .map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines; at most ${MAX_LINES}`);
}

const BANNED: ReadonlyArray<[RegExp, string]> = [
  [/\bDate\.now\b/, 'Date.now: take a Clock'],
  [/\bnew Date\(\s*\)/, 'new Date(): take a Clock'],
  [/\bperformance\.now\b/, 'performance.now: take a Clock'],
  [/(?<![.\w])(setTimeout|setInterval|setImmediate)\(/, 'timers: take a Clock'],
  [/\bMath\.random\b|\brandomUUID\b/, 'chance: take a Random'],
  [/\bprocess\.env\b/, 'process.env: take the environment from base'],
  [/\bprocess\.(exit|exitCode|on|once)\b/, 'process: use base'],
  [/\bconsole\./, 'console: use the logger or the standard streams of base'],
  [/@ts-(ignore|nocheck|expect-error)/, 'the compiler is not silenced'],
  [/\b(as|:|<) any\b/, 'any'],
];

/** What may stand only in base: time, chance, environment, process, console. */
export function bannedWords(sources: Sources): string[] {
  return [...sources]
    .filter(([file]) => roomOf(file) !== 'base')
    .flatMap(([file, text]) => {
      const code = withoutStrings(withoutComments(text, /@ts-/));
      return BANNED.filter(([pattern]) => pattern.test(code)).map(([, why]) => `${file}: ${why}`);
    });
}

const IN_PIECES = /(function\*? )?\b(\w+)(?:<\w+>)?\((?:[^()]|\([^()]*\))*\): Pieces</g;

/** Calls of what is done in pieces that stand as statements of their own. No type tells of them: nothing is done, and nothing fails. */
export function droppedPieces(sources: Sources): string[] {
  const texts = [...sources].map(([file, text]) => [file, withoutStrings(withoutComments(text))] as const);
  const made = texts
    // To look for the whole form in every text takes seconds.
    .filter(([, text]) => text.includes(': Pieces<'))
    .flatMap(([, text]) => [...text.matchAll(IN_PIECES)].map(([, own, name = '']) => ({ own, name })));
  return texts.flatMap(([file, text]) =>
    made
      .filter(({ name }) => text.includes(name))
      // Others have functions of the same name.
      .filter(({ own, name }) => own === undefined || knows(text, name))
      .filter(({ name }) => new RegExp(`(?:[;{})]|\\belse|\\bvoid)\\s+(?:[\\w.]+\\.)?${name}\\(`).test(text))
      .map(({ name }) => `${file}: nobody takes the pieces of ${name}`),
  );
}

function knows(text: string, name: string): boolean {
  return new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\}|function\\*? ${name}\\b[^{]*: Pieces<`).test(text);
}

export function badFileNames(files: readonly string[]): string[] {
  return files.filter(
    (file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.long\.test|\.config)?\.ts$/.test(path.posix.basename(file)),
  );
}

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

function withoutComments(text: string, keep?: RegExp): string {
  return text.replaceAll(TOKEN, (token) => (/^\/[/*]/.test(token) && !keep?.test(token) ? ' ' : token));
}

function withoutStrings(text: string): string {
  return text.replaceAll(TOKEN, (token) => (/^['"]/.test(token) ? "''" : token));
}
