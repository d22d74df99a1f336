// README against the code: its tables of commands, settings and error codes are generated; `UPDATE_DOCS=1` writes them. All pages: their links.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../src/base/index.ts';
import { createRun } from '../src/cli/command.ts';
import { createProgram } from '../src/cli/program.ts';
import { settingsTable } from '../src/config/index.ts';
import { operationNames, operationOf, viewKinds } from '../src/contract/index.ts';
import { recipes } from '../src/mirror/index.ts';

const path = new URL('../README.md', import.meta.url);

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

function settings(): string {
  const rows = settingsTable().map((row) => [
    code(row.key),
    code(row.environment ?? ''),
    code(row.flag ?? ''),
    row.description,
    row.default === null || row.default === '' ? '' : code(String(row.default)),
  ]);
  return table(['key in the file', 'environment', 'flag', 'meaning', 'default'], rows);
}

function errors(): string {
  const rows = Object.entries(ERROR_CODES).map(([name, { exit, summary }]) => [code(name), String(exit), summary]);
  return table(['code', 'exit', 'meaning'], rows);
}

const program = await createProgram(createRun(new AbortController().signal, []));

function commands(): string {
  const help = program.createHelp();
  const shown = program.commands.filter((command) => help.visibleCommands(program).includes(command));
  const all = shown.flatMap((command) => [command, ...command.commands]);
  const rows = all.map((command) => {
    const parent = command.parent === program || !command.parent ? '' : `${command.parent.name()} `;
    const usage = `${parent}${command.name()} ${command.usage().replace(/\[options\] ?/, '')}`.trim();
    return [code(usage), command.description().split('\n')[0] ?? ''];
  });
  return table(['command', 'does'], rows);
}

function reports(): string {
  return table(
    ['recipe', 'tells'],
    recipes.map(({ name, about }) => [code(name), about]),
  );
}

const generated: Readonly<Record<string, () => string>> = { commands, settings, errors, recipes: reports };

function between(readme: string, name: string): string {
  return new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)\\n?<!-- /${name} -->`).exec(readme)?.[1] ?? '';
}

if (process.env['UPDATE_DOCS'] === '1') {
  let readme = readFileSync(path, 'utf8');
  for (const [name, make] of Object.entries(generated)) {
    const block = `<!-- ${name} -->\n${make()}\n<!-- /${name} -->`;
    readme = readme.replace(new RegExp(`<!-- ${name} -->[\\s\\S]*?<!-- /${name} -->`), () => block);
  }
  writeFileSync(path, readme);
}

/** The name that a heading has for links. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const pages = ['README.md', ...readdirSync(new URL('../docs', import.meta.url)).map((name) => `docs/${name}`)];

function targetsIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Whether the file of a link is there, and the heading in it. */
function isFound(target: string, from: URL): boolean {
  const url = new URL(target, from);
  const anchor = url.hash.slice(1);
  url.hash = '';
  if (!existsSync(url)) return false;
  const headings = [...readFileSync(url, 'utf8').matchAll(/^#{1,6} (.+)$/gm)];
  return anchor === '' || headings.some(([, heading = '']) => anchorOf(heading) === anchor);
}

it.each(pages)('%s leads to headings and files that are there', (page) => {
  const from = new URL(`../${page}`, import.meta.url);
  const targets = targetsIn(readFileSync(from, 'utf8')).filter((target) => !/^[a-z]+:/.test(target));
  expect(targets.filter((target) => !isFound(target, from))).toEqual([]);
});

it.each(pages.slice(1))('%s is a page that README leads to', (page) => {
  expect(targetsIn(readFileSync(path, 'utf8'))).toContain(page);
});

describe('README', () => {
  const readme = readFileSync(path, 'utf8');
  // By lines, so that a failure shows those that differ; how wide a formatter made the columns counts for nothing.
  const lines = (text: string): string[] => text.split('\n').map((line) => line.replaceAll(/ +|-{3,}/g, ' ').trim());

  it.each(Object.keys(generated))('lists the %s of the code', (name) => {
    const toDo = `README's table of ${name} is not that of the code: UPDATE_DOCS=1 npx vitest run test/docs.test.ts writes it`;
    expect(lines(between(readme, name)), toDo).toEqual(lines(generated[name]?.() ?? ''));
  });

  it('leads to every section', () => {
    const sections = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const targets = targetsIn(readme);
    expect(sections.filter((section) => !targets.includes(`#${section}`))).toEqual([]);
  });

  it('counts the operations of the API as the contract does', () => {
    const reads = operationNames.filter((name) => operationOf(name).method === 'GET');
    const counts = (word: string): number[] =>
      [...readme.matchAll(new RegExp(`\\b(\\d+) ${word}\\b`, 'g'))].map((found) => Number(found[1]));
    expect(counts('operations')).toEqual([operationNames.length, operationNames.length]);
    expect(counts('reads')).toEqual([reads.length]);
  });

  it('names every view of the mirror, and no other', () => {
    const named = [
      ...between(
        readme.replace('| views | |', '<!-- views -->\n').replace('Each view has', '<!-- /views -->'),
        'views',
      ).matchAll(/`(\w+)`/g),
    ];
    const own = new Set(
      'snapshots shown_snapshot failures changes change_request_changes freshness drift tombstones what_if_lost drills drill_differences docs_tables docs_columns docs_recipes'.split(
        ' ',
      ),
    );
    expect(
      named
        .map((one) => one[1] ?? '')
        .filter((name) => !own.has(name))
        .toSorted(),
    ).toEqual([...viewKinds().keys()].toSorted());
  });
});
