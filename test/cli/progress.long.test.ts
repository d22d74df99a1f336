import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { programAt } from '../support/programs.ts';

/** What a job of 100 parts prints that does 10 of them a second, by a clock that is moved by hand. */
function printed(note = 'space Guide', total: unknown = 100, eachMs = 100): string {
  const program = `
    import { createProgress } from ${JSON.stringify(programAt('src/cli/views/progress.ts'))};
    import { manualClock } from ${JSON.stringify(programAt('src/base/index.ts'))};
    const clock = manualClock(0);
    const progress = createProgress({ label: 'restore', live: false, clock });
    for (let done = 0; done <= 60; done++) { progress.update(done, ${JSON.stringify(total)}, ${JSON.stringify(note)}); await clock.advance(${eachMs}); }
    progress[Symbol.dispose]();`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  return stderr;
}

describe('cli/views/progress', () => {
  it('tells counts, pace and time left in lines where nobody looks', () => {
    expect(printed()).toContain('restore: 50 of 100, 10/s, 5.0 s left, space Guide');
  });

  it('tells the pace of a slow one by the minute: for hours it was 0/s', () => {
    expect(printed('', 100, 7000)).toContain('restore: 50 of 100, 9/min, 5 min 50 s left\n');
  });

  it('promises no time where nobody knows how much there is, and says where it is a guess', () => {
    expect(printed('', { atLeast: 1070 })).toContain('restore: 50 of at least 1,070, 10/s\n');
    expect(printed('', { about: 123_456 })).toContain('restore: 50 of about 123,000, 10/s, 3 h 25 min left\n');
  });

  it('lets no title of what is under way give orders to the terminal', () => {
    expect(printed('space \u001b]0;owned\u0007\u009b2JGuide')).toContain('5.0 s left, space ]0;owned2JGuide');
  });
});
