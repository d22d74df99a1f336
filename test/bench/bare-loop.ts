// The peer of a walk: a loop of requests over undici. Run as a program, it is measured once: `URL SPACES PAGES CONNECTIONS`.
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';

interface Loop {
  readonly url: string;
  readonly spaces: number;
  readonly pages: number;
  readonly connections: number;
}

/** Pages per second of a loop that asks for each page once and does nothing with it. */
export async function bareLoop({ url, spaces, pages, connections }: Loop): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const paths = Array.from({ length: spaces * pages }, (_, index) => {
    const [space, page] = [Math.floor(index / pages), index % pages];
    return `/v1/spaces/space${space}/content/page/page${space}x${page}?format=markdown`;
  });
  const started = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { body } = await pool.request({ path, method: 'GET' });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: connections * 4 }, lane));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return paths.length / seconds;
}

const [, program = '', url, ...numbers] = process.argv;
if (url !== undefined && import.meta.url === pathToFileURL(program).href) {
  const [spaces = 0, pages = 0, connections = 0] = numbers.map(Number);
  process.stdout.write(`${await bareLoop({ url, spaces, pages, connections })}\n`);
}
