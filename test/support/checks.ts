import { createPlatformChecks } from '../../src/platform/index.ts';

/** One set for all platforms of a worker: each of hundreds of tests would spend a tenth of its time on compiling its own. */
export const sharedChecks = createPlatformChecks();
