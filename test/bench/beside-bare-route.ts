// Requests per second of a server, beside a bare route of the same framework that answers the same bytes from memory.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from './children.ts';
import { callApi, freshDirectory, type Figure } from './harness.ts';
import { CONNECTIONS, requestsPerSecond } from './load.ts';

const ROUNDS = 3;

/** How it is measured, for the words above a table. */
export const BESIDE = `beside a bare route of the same framework that answers the same bytes from memory (${CONNECTIONS} connections, best of ${ROUNDS} rounds in turn)`;

export interface Question {
  readonly what: string;
  readonly path: `/${string}`;
}

export interface Beside {
  readonly name: string;
  readonly server: { readonly url: string; readonly token: string };
  readonly questions: readonly Question[];
  /** Asks also for what was never asked before. */
  readonly isNewToo?: boolean;
  /** Part of what the bare route reaches that is promised. */
  readonly least?: number;
}

export async function besideBareRoute(beside: Beside): Promise<Figure[]> {
  await using directory = await freshDirectory();
  const { server, questions } = beside;
  const files = await Promise.all(
    questions.map(async ({ path }, i) => {
      const file = join(directory.path, `${i}.json`);
      await writeFile(file, JSON.stringify(await callApi<unknown>(server, `GET ${path}`)));
      return file;
    }),
  );
  await using bare = await startChild('bare-route-server.ts', files);
  const figures: Figure[] = [];
  for (const [i, question] of questions.entries())
    figures.push(...(await compare(beside, question, `${bare.url}/${i}`)));
  return figures;
}

async function compare({ name, server, isNewToo, least }: Beside, { what, path }: Question, bareUrl: string) {
  const target = { url: `${server.url}${path}`, token: server.token };
  const best = { bare: 0, asked: 0, fresh: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.bare = Math.max(best.bare, await requestsPerSecond({ url: bareUrl }));
    best.asked = Math.max(best.asked, await requestsPerSecond(target));
    if (isNewToo) best.fresh = Math.max(best.fresh, await requestsPerSecond({ ...target, isNew: true }));
  }
  const bound = least === undefined ? {} : { bound: { least } };
  const figures: Figure[] = [
    { what: `${what}: bare route`, value: best.bare, unit: 'requests/s' },
    { what: `${what}: ${name}`, value: best.asked, unit: 'requests/s' },
    { what: `${what}: ${name} to bare route`, value: best.asked / best.bare, unit: '', ...bound },
  ];
  if (!isNewToo) return figures;
  return [
    ...figures,
    { what: `${what}, new: ${name}`, value: best.fresh, unit: 'requests/s' },
    { what: `${what}, new: ${name} to bare route`, value: best.fresh / best.bare, unit: '' },
  ];
}
