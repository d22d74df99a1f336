// Asking a replica, as whoever has its token.
import { atOnce, Secret, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { createReplica } from '../../src/replica/index.ts';

const TOKEN = 'tok_of_readers';

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks the replica of a data directory. */
export function askingReplica(dataDir: string): (target: string) => Answered {
  const parts = { dataDir, clock: systemClock(), random: seededRandom(1), log: silentLogger() };
  const replica = createReplica({ ...parts, tokens: [Secret.of(TOKEN)] });
  const header = (name: string): string | undefined => (name === 'authorization' ? `Bearer ${TOKEN}` : undefined);
  return (target) => {
    const answer = atOnce(replica.answer({ method: 'GET', target, header, base: 'http://replica' }));
    return { status: answer.status, body: JSON.parse(answer.text ?? 'null'), headers: answer.headers };
  };
}
