// A program of its own for the durability test: a platform on disk, which the test kills.
import { systemClock, systemRandom, silentLogger } from '../../src/base/index.ts';
import { startPlatform } from '../../src/platform/index.ts';

const [, , database = ':memory:', token = ''] = process.argv;
const platform = await startPlatform({
  clock: systemClock(),
  random: systemRandom(),
  log: silentLogger(),
  database,
  token,
});
process.stdout.write(`${JSON.stringify({ url: platform.url, organization: platform.organizations()[0] })}\n`);
