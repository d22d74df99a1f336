import type { Command } from 'commander';
import { AppError, count, didYouMean } from '../../base/index.ts';
import { lastSealed, openQuery, recipeOf, recipes, resolveSnapshot, type Answer } from '../../mirror/index.ts';
import { doubtIn } from '../advice.ts';
import { createCommand, does, TIME_NOTE, type CommandContext, type Run } from '../command.ts';
import { CSV_CUT, queryCsv, queryJson, queryView, recipesView } from '../views/query.ts';

interface Options {
  at?: string;
  csv?: boolean;
  json?: boolean;
  recipe?: string;
  recipes?: boolean;
}

export function queryCommand(run: Run): Command {
  const command = createCommand({
    name: 'query',
    examples: [
      'query "select title, path from pages limit 5"',
      'query "select title from pages_search where pages_search match \'install*\'"',
      'query --at "2025-03-01 12:00" --csv "select id, title from spaces" > spaces.csv',
      'query "select name, description from docs_tables"',
      'query --recipe stale-pages',
    ],
    notes: [
      TIME_NOTE,
      'With --json, a second column of the same name is called NAME_2, and whole numbers are exact, however large.',
    ],
  })
    .argument('[sql]', 'one statement that only reads')
    .option('--at <snapshot>', 'the mirror as of a snapshot: number, time or "latest"')
    .option('--csv', 'answer with CSV')
    .option('--recipe <name>', 'a saved report instead of SQL')
    .option('--recipes', 'list the saved reports, and what each tells');
  return does<Options>(run, command, async (context, options) => {
    const { app, screen, args, endAtOnce } = context;
    if (options.csv === true && options.json === true) throw bothForms();
    if (options.recipes === true) return showRecipes(context, options);
    const sql = sqlOf(args[0], options.recipe);
    const at = await snapshotNumber(context, options.at, options.recipe === undefined ? sql : '');
    // Nothing is written that could be left half-done.
    endAtOnce();
    using answer = openQuery(app.config.dataDir, sql, at);
    if (options.csv === true) await screen.print(queryCsv(answer), CSV_CUT);
    else
      await screen.stream(
        () => queryJson(answer),
        (look) => queryView(answer, look),
      );
    const illegible = answer.illegible();
    if (illegible > 0) await screen.note(illegibleNote(illegible));
  });
}

async function showRecipes({ screen, args }: CommandContext, { csv, recipe, at }: Options): Promise<void> {
  if (args[0] !== undefined || recipe !== undefined || at !== undefined) {
    throw new AppError('DM_USAGE', 'Both --recipes and something to run were given; expected one of them', {
      hint: 'To run a saved report: docmirror query --recipe NAME.',
    });
  }
  if (csv === true) await screen.print(queryCsv(recipeTable()), CSV_CUT);
  else await screen.show(recipes, (look) => recipesView(recipes, look));
}

function recipeTable(): Answer {
  return { columns: ['name', 'about', 'sql'], rows: recipes.map(({ name, about, sql }) => [name, about, sql]) };
}

function illegibleNote(times: number): string {
  const what = `What is stored of an earlier snapshot is damaged: null stands ${count(times, 'time')} for a text that could not be unpacked`;
  return `${what}. Run docmirror check --read-data, which names what is damaged`;
}

/** Either SQL or the name of a recipe. */
function sqlOf(sql: string | undefined, recipe: string | undefined): string {
  if (recipe === undefined && sql !== undefined) return sql;
  if (recipe === undefined || sql !== undefined) {
    const what = sql === undefined ? 'Neither SQL nor --recipe was given' : 'Both SQL and --recipe were given';
    throw new AppError('DM_USAGE', `${what}; expected one of them`, {
      hint: 'See the saved reports: docmirror query --recipes.',
    });
  }
  const found = recipeOf(recipe);
  if (found) return found.sql;
  const names = recipes.map(({ name }) => name);
  const known = `${names.join(', ')}${didYouMean(recipe, names)}`;
  throw new AppError('DM_USAGE', `There is no recipe ${JSON.stringify(recipe)}; expected one of ${known}`, {
    hint: 'See what each tells: docmirror query --recipes.',
  });
}

/** Answers null where the last sealed snapshot is meant; there must be a mirror in any case. Of SQL that a person wrote it says what --at does not pin. */
async function snapshotNumber(
  { app, screen }: CommandContext,
  at: string | undefined,
  sql: string,
): Promise<number | null> {
  using mirror = app.reader();
  const last = lastSealed(mirror);
  const shown = at === undefined ? last : resolveSnapshot(mirror, at);
  const note = shown
    ? doubtIn(mirror, shown.id, app.config)
    : `No snapshot is sealed yet, so the views are empty: run docmirror sync${app.config.flags}`;
  if (note !== null) await screen.note(note);
  if (shown?.id !== last?.id && SEARCH_TABLES.test(sql))
    await screen.note(`Full text is searched in the last sealed snapshot (${last?.id ?? 'none'}), whatever --at says`);
  const [present] = shown?.id === last?.id ? [] : (PRESENT_TABLES.exec(sql) ?? []);
  if (present !== undefined) await screen.note(`${present} tells how it is now, whatever --at says`);
  return at === undefined ? null : (shown?.id ?? null);
}

// What they forget as they go on nobody can tell for an earlier snapshot.
const PRESENT_TABLES = /\b(?:freshness|unreachable)\b/i;
const SEARCH_TABLES = /\b(?:pages|comments)_search\b/i;

function bothForms(): AppError {
  return new AppError('DM_USAGE', 'Both --csv and --json were given; expected one of them', {
    hint: 'Leave one of the two out.',
  });
}
