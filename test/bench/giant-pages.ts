import { firstSpace, mergeEdit } from './edits.ts';
import { freshDirectory, runJson, startPlatformProcess, type Figure, type Finished } from './harness.ts';
import type { Sync } from './quiet-nights.ts';

const ROWS = 20_000;

interface Giant {
  readonly name: string;
  readonly markdown: (edit: number) => string;
}

const GIANTS: readonly Giant[] = [
  { name: `page with a table of ${ROWS} rows, each with a link`, markdown: tableOf },
  { name: `page of ${2 * ROWS} links`, markdown: linksOf },
  { name: 'page of 4 MB', markdown: (edit) => longText(44_000, edit) },
  { name: 'page of 7 MB', markdown: (edit) => longText(67_000, edit) },
];

/** Peak memory of walks that find one page of an unusual size, with its document tree, and of one after it was edited. */
export async function giantPages(peak: (what: string, finished: Finished) => Figure): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, markdown } of GIANTS) {
    await using platform = await startPlatformProcess(['--seed', 'scale', '--spaces', '1', '--pages', '2']);
    await using directory = await freshDirectory();
    const environment = { ...platform.environment, DOCMIRROR_DATA_DIR: directory.path };
    const { space, pages } = await firstSpace(platform);
    const edit = (number: number): Promise<void> =>
      mergeEdit(platform, { space, page: pages[0] ?? '', markdown: markdown(number) });
    await edit(1);
    figures.push(peak(`${name}: first walk`, await runJson<Sync>(['sync'], environment)));
    await edit(2);
    figures.push(peak(`${name}: walk after an edit`, await runJson<Sync>(['sync'], environment)));
  }
  return figures;
}

function lines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => line(number)).join('\n');
}

function tableOf(edit: number): string {
  const row = (number: number): string =>
    `| ${number} | [Row ${number}](https://docs.example.com/row/${number}) | ${number % 1000 === 0 ? edit : 'text'} |`;
  return `| number | link | text |\n|---|---|---|\n${lines(ROWS, row)}\n`;
}

function linksOf(edit: number): string {
  const item = (number: number): string =>
    `- [One](https://docs.example.com/one/${number}) and [two](https://docs.example.com/two/${number}/${number === 0 ? edit : 0})`;
  return `${lines(ROWS, item)}\n`;
}

function longText(count: number, edit: number): string {
  const line = (number: number): string =>
    `Line ${number} says what a line of a manual says, at the length of one, in edition ${number % 1000 === 0 ? edit : 0}.\n`;
  return lines(count, line);
}
