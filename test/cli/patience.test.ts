import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { createPatience } from '../../src/cli/patience.ts';

function waiting() {
  const clock = manualClock();
  const told: string[] = [];
  const tell = (text: string): Promise<void> => {
    told.push(text);
    return Promise.resolve();
  };
  return { clock, told, patience: createPatience({ clock, tell }) };
}

const REQUEST = { operation: 'listOrganizations', method: 'GET', target: '/v1/orgs', ms: 1, bytes: 0, rate: null };

describe('cli/patience', () => {
  it('tells after three seconds that no answer came, and then every ten', async () => {
    const { clock, told, patience } = waiting();
    patience.begun('http://p.example');
    await clock.advance(2500);
    expect(told).toEqual([]);
    await clock.advance(1000);
    expect(told).toEqual(['http://p.example has not answered yet; trying for 3.0 s now, Ctrl-C ends it']);
    patience.ended({ ...REQUEST, status: null });
    await clock.advance(9000);
    expect(told).toHaveLength(1);
    await clock.advance(1000);
    expect(told[1]).toMatch(/does not answer; trying for 13/);
  });

  it('is silent while answers come, and for good once it is disposed of', async () => {
    const { clock, told, patience } = waiting();
    patience.begun('http://p.example');
    patience.ended({ ...REQUEST, status: 503 });
    patience.ended({ ...REQUEST, status: 200 });
    await clock.advance(20_000);
    patience.ended({ ...REQUEST, status: 503 });
    patience[Symbol.dispose]();
    await clock.advance(20_000);
    patience.waits({ reason: 'rate-limited', ms: 12_000 });
    expect(told).toEqual([]);
  });

  it('says no more that the platform is tried once the walk was given up', async () => {
    const { clock, told, patience } = waiting();
    patience.begun('http://p.example');
    patience.ended({ ...REQUEST, status: null });
    patience.idle?.();
    await clock.advance(20_000);
    expect(told).toEqual([]);
  });

  it('tells a long wait that the platform asks for', () => {
    const { told, patience } = waiting();
    patience.begun('http://p.example');
    patience.waits({ reason: 'retry', ms: 9000 });
    patience.waits({ reason: 'rate-limited', ms: 1000 });
    patience.waits({ reason: 'rate-limited', ms: 12_000 });
    expect(told).toEqual(['http://p.example asks to wait 12.0 s; waiting']);
  });
});
