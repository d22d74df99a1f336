import { Secret, silentLogger, systemClock, systemRandom } from '../../src/base/index.ts';
import { createClient } from '../../src/client/index.ts';
import { startChild } from './children.ts';
import type { Benchmark, Figure } from './harness.ts';

const RATES = [10, 100, 1000];
const SECONDS = 5;
const STEADY = 3;
const ROUNDS = 3;

/** How much of what is allowed the limiter uses, and that it never uses more; by arrivals at the server. */
export const limiter: Benchmark = {
  name: 'limiter',
  about:
    'requests through the client with limits.requestsPerSecond set, to a server in a process of its own that notes when each one ' +
    `arrives: ${STEADY} seconds after the first one, best of ${ROUNDS} rounds (what the server notes late on a busy machine seems to come at once)`,
  async run() {
    await using server = await startChild('arrivals-server.ts');
    const figures: Figure[] = [];
    for (const rate of RATES) {
      const rounds: { used: number; most: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const arrivals = await ask(server.url, rate);
        rounds.push({ used: inWholeSeconds(arrivals) / (rate * STEADY), most: mostInOneSecond(arrivals) });
      }
      const used = Math.max(...rounds.map((round) => round.used));
      const most = Math.min(...rounds.map((round) => round.most));
      figures.push(
        { what: `${rate} per second: achieved to allowed`, value: used, unit: '', bound: { least: 0.98 } },
        { what: `${rate} per second: most in a sliding second`, value: most, unit: 'requests', bound: { most: rate } },
      );
    }
    return figures;
  },
};

async function ask(baseUrl: string, rate: number): Promise<number[]> {
  const limits = {
    concurrency: 64,
    requestsPerSecond: rate,
    share: 1,
    timeoutMs: 10_000,
    downloadTimeoutMs: 10_000,
    retries: 0,
    maxWaitMs: 60_000,
  };
  const [clock, random] = [systemClock(), systemRandom()];
  await using client = createClient({ baseUrl, token: Secret.of('none'), clock, random, log: silentLogger(), limits });
  const calls = Array.from({ length: rate * SECONDS }, () => client.callRaw('listOrganizations', {}));
  await Promise.all(calls);
  return (await (await fetch(`${baseUrl}/arrivals`)).json()) as number[];
}

/** Arrivals in whole seconds that begin one second after the first. */
function inWholeSeconds(arrivals: readonly number[]): number {
  const from = (arrivals[0] ?? 0) + 1000;
  return arrivals.filter((at) => at >= from && at < from + STEADY * 1000).length;
}

function mostInOneSecond(arrivals: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < arrivals.length; last++) {
    while ((arrivals[last] ?? 0) - (arrivals[first] ?? 0) >= 1000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
