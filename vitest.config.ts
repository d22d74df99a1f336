import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { builtSource } from './test/support/built-source.ts';

export default defineConfig({
  plugins: [builtSource()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/memory-folder.ts', 'test/support/programs.ts'],
    pool: 'forks',
    // Nothing of src or test keeps in a module what changes, so files can share what they load: it takes a third off the suite.
    isolate: false,
    // On two cores it would take one worker; most tests wait for processes of their own.
    maxWorkers: Math.max(2, availableParallelism()),
    // Worlds come and go by the thousand: with more room for what is new, less of it is copied before it is given up.
    execArgv: ['--max-semi-space-size=64'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
