// Why something was not sent, in the words that a status page shows.
import { expect, it } from 'vitest';
import { manualClock, seededRandom } from '../../src/base/index.ts';
import { attempt } from '../../src/daemon/attempts.ts';

/** What is told when each try fails so. */
async function toldOf(error: Error): Promise<string | undefined> {
  const clock = { ...manualClock(), sleep: () => Promise.resolve() };
  const trying = { clock, random: seededRandom(1), signal: new AbortController().signal };
  const outcome = await attempt(trying, () => Promise.reject(error));
  return outcome.how === 'sent' ? undefined : outcome.why;
}

// Each of them takes ten seconds and more to come about for real.
it.each([
  ['a mail server that never answers', 'ETIMEDOUT', 'Timeout'],
  ['a mail server that cannot be connected to', 'ETIMEDOUT', 'Connection timeout'],
  ['a receiver that cannot be connected to', 'UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'],
])('says "no answer in time" of %s, as of all that gives none: it was told as %s', async (_who, code, message) => {
  expect(await toldOf(Object.assign(new Error(message), { code }))).toBe('no answer in time');
});

it('says "no answer in time" where the system gave up a connection to a mail server, which was told as ETIMEDOUT', async () => {
  const error = Object.assign(new Error('connect ETIMEDOUT 192.0.2.1:25'), { code: 'ESOCKET', errno: -110 });
  expect(await toldOf(error)).toBe('no answer in time');
});
