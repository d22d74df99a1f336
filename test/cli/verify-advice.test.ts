// What verify advises when something differs.
import { describe, expect, it } from 'vitest';
import { afterDifferences } from '../../src/cli/views/verify.ts';

describe('cli/restore verify, differences', () => {
  it('sends nobody to a resume that has nothing to write', () => {
    const advice = afterDifferences({
      id: 'r1',
      state: 'done',
      flags: ' --target-url http://127.0.0.1:8700',
      undoneBy: null,
    });
    expect(advice).toContain('a resume changes nothing');
    expect(advice).toContain('docmirror restore undo r1 --target-url http://127.0.0.1:8700');
  });

  it('names the whole command that writes what was not written', () => {
    const advice = afterDifferences({
      id: 'r1',
      state: 'failed',
      flags: ' --target-url http://127.0.0.1:8700',
      undoneBy: null,
    });
    expect(advice).toContain('docmirror restore resume r1 --target-url http://127.0.0.1:8700');
  });
});
