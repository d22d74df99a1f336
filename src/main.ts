#!/usr/bin/env node
import { exitNow, keepHeapSmall, setExitCode, systemClock } from './base/index.ts';
import { run } from './cli/index.ts';

// Whatever still keeps the process alive once the command has ended is given this long.
const GRACE_MS = 2000;

keepHeapSmall();
const code = await run(process.argv.slice(2));
setExitCode(code);
systemClock().every(GRACE_MS, () => exitNow(code));
