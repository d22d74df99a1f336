import { describe, expect, it } from 'vitest';
import { manualClock } from '../../src/base/index.ts';
import { followRestore } from '../../src/cli/views/restore-progress.ts';
import type { Progress } from '../../src/cli/views/progress.ts';

describe('cli/views/restore-progress', () => {
  it('shows the walks of a restore and its writes in turn, one bar at a time, each with its own pace', async () => {
    const clock = manualClock(0);
    const shown: string[] = [];
    const progress = (label: string): Progress => {
      shown.push(`${label} begins`);
      return {
        update: (done, total, note = '') => shown.push(`${label}: ${done} of ${JSON.stringify(total)}, ${note}`),
        [Symbol.dispose]: () => shown.push(`${label} ends`),
      };
    };
    const walk = { snapshot: 1, waiting: 10, ahead: 0, bytes: 0 };
    {
      using follow = followRestore({ progress }, 'drill', clock);
      follow.onProgress({ step: 1, steps: 2, title: 'space Guide' });
      await clock.advance(60_000);
      follow.onProgress({ step: 2, steps: 2, title: 'page Home' });
      follow.onRead({ ...walk, visited: 0, requests: 0 });
      await clock.advance(1000);
      follow.onRead({ ...walk, visited: 5, requests: 20 });
    }
    expect(shown).toEqual([
      'drill begins',
      'drill: 1 of 2, space Guide',
      'drill: 2 of 2, page Home',
      'drill ends',
      'walk begins',
      'walk: 0 of 10, 0 requests, 0 bytes',
      'walk: 5 of 15, 20 requests, 20/s, 0 bytes',
      'walk ends',
    ]);
  });

  it('tells no rate of what was asked before it looked: a walk that was told of late began with 57,000 requests a second', async () => {
    const clock = manualClock(0);
    const shown: string[] = [];
    const progress = (): Progress => ({
      update: (_done, _total, note = '') => shown.push(note),
      [Symbol.dispose]: () => undefined,
    });
    const walk = { snapshot: 1, visited: 1, waiting: 10, ahead: 0, bytes: 0 };
    using follow = followRestore({ progress }, 'drill', clock);
    follow.onRead({ ...walk, requests: 57 });
    await clock.advance(2);
    follow.onRead({ ...walk, requests: 58 });
    await clock.advance(1998);
    follow.onRead({ ...walk, requests: 157 });
    expect(shown).toEqual(['57 requests, 0 bytes', '58 requests, 0 bytes', '157 requests, 50/s, 0 bytes']);
  });

  it('ends quietly where nothing was to be followed', () => {
    const progress = (): Progress => {
      throw new Error('a bar was opened');
    };
    expect(() => followRestore({ progress }, 'plan', manualClock(0))[Symbol.dispose]()).not.toThrow();
  });
});
