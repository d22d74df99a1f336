import type { App } from '../app.ts';
import { AppError } from '../base/index.ts';

/** Where a demonstration lies, whoever lacks a platform most likely means that one. */
export function demoHint(error: unknown, app: App): unknown {
  if (!(error instanceof AppError) || error.code !== 'DM_CONFIG_MISSING') return error;
  const demo = app.demo();
  if (demo === null) return error;
  const hint = `${error.hint} For the demo, while docmirror start runs it: ${demo.flags}`;
  return new AppError(error.code, error.message, { hint, cause: error });
}
