// A program of its own for the kill test: walks a platform into a data directory and writes a line for every answer.
import { Secret, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { createClient } from '../../src/client/index.ts';
import { openMirror, takeLease } from '../../src/mirror/index.ts';
import { walk } from '../../src/walker/index.ts';
import { LIMITS, SETTINGS } from '../support/world.ts';

const [, , baseUrl = '', token = '', dataDir = ''] = process.argv;
const clock = systemClock();
const log = silentLogger();
using _lease = await takeLease(dataDir, 'sync');
using mirror = await openMirror({ dataDir, clock });
await using client = createClient({
  baseUrl,
  token: Secret.of(token),
  clock,
  random: seededRandom(1),
  log,
  limits: LIMITS,
  onRequest: ({ operation }) => void process.stdout.write(`${operation}\n`),
});
const scope = { organizations: null, onlySpaces: null, extraSpaces: [] };
await walk({ mirror, client, clock, log, mode: 'incremental', scope, settings: SETTINGS, origin: baseUrl });
