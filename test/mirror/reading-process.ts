// A program of its own for the readers test: asks the mirror the same questions without a pause, and writes a line for each
// answer: what snapshot was shown, and what it held; or the error. Ends when its input is closed.
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { runQuery } from '../../src/mirror/index.ts';

const [, , dataDir = ''] = process.argv;
const QUESTION = `select (select id from shown_snapshot) as shown, count(*) as pages, count(distinct title) as titles,
  min(title) as title, (select count(*) from pages_search where pages_search match 'words') as found,
  (select max(snapshot) from changes) as newest from pages`;

let open = true;
process.stdin.resume();
void once(process.stdin, 'end').then(() => (open = false));
while (open) {
  try {
    const [row] = runQuery(dataDir, QUESTION, null).rows;
    process.stdout.write(`${JSON.stringify(row)}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify(String(error))}\n`);
  }
  await turn();
}
