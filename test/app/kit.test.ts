import { describe, expect, it } from 'vitest';
import { createKit, type OwnKit } from '../../src/app/kit.ts';
import { seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { loadConfig, requirePlatform } from '../../src/config/index.ts';

const config = loadConfig({
  flags: {},
  environment: { DOCMIRROR_BASE_URL: 'http://127.0.0.1:9', DOCMIRROR_TOKEN: 'planted-token' },
  cwd: '/',
  readFile: () => null,
});
const platform = requirePlatform(config);
const elsewhere = { ...platform, baseUrl: 'http://127.0.0.1:10' };

/** @param begun Is told of every client that opens; what it throws fails the opening. */
function kitOf(begun: () => void = () => undefined): OwnKit {
  const watch = { begun, ended: () => undefined, waits: () => undefined };
  return createKit({ config, clock: systemClock(), random: seededRandom(1), log: silentLogger(), watch });
}

describe('app/kit', () => {
  it('has one client for each platform, and opens anew what could not be opened', async () => {
    let openings = 0;
    await using kit = kitOf(() => {
      if (++openings === 1) throw new Error('not yet');
    });
    const both = [kit.clientOf(platform), kit.clientOf(platform)];
    for (const one of both) await expect(one).rejects.toThrow('not yet');
    const client = await kit.clientOf(platform);
    expect([await kit.clientOf(platform), openings]).toEqual([client, 2]);
  });

  it('is disposed of whatever failed to open, closes all, and tells what could not be closed', async () => {
    const failing = kitOf(() => {
      throw new Error('never');
    });
    // Disposed of while it still opens.
    const opening = expect(failing.clientOf(platform)).rejects.toThrow('never');
    await failing[Symbol.asyncDispose]();
    await opening;

    const kit = kitOf();
    const [stuck, other] = [await kit.clientOf(platform), await kit.clientOf(elsewhere)];
    Object.defineProperty(stuck, Symbol.asyncDispose, { value: () => Promise.reject(new Error('stuck')) });
    await expect(kit[Symbol.asyncDispose]()).rejects.toThrow('stuck');
    await expect(other.api.listOrganizations()).rejects.toThrow(/closed/);
  });
});
