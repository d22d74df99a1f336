// A file or folder that an option names.
import type { Option } from 'commander';
import { AppError, CLEAN_PATH, WRITTEN_OUT } from '../base/index.ts';

/** `--to=~/docs` comes as it is written, and `--to "$FOLDER"` as nothing where there is no such variable: that is no word for this folder. */
export function refuseNoPath({ long }: Option, value: unknown): void {
  if (value === '') {
    throw new AppError('DM_USAGE', `${long} is ""; expected a path`, {
      hint: 'Write the path out; a variable that stands for it may not be set. The folder that you are in is called . (a full stop).',
    });
  }
  if (typeof value !== 'string' || new RegExp(CLEAN_PATH).test(value)) return;
  if (new RegExp(WRITTEN_OUT).test(value)) {
    const expected = 'a path without space around it or control characters';
    throw new AppError('DM_USAGE', `${long} is ${JSON.stringify(value)}; expected ${expected}`, {
      hint: 'Correct it; a script whose lines end as on Windows (CRLF) leaves a sign behind the last word of each.',
    });
  }
  throw new AppError('DM_USAGE', `${long} is ${JSON.stringify(value)}; expected a path written out`, {
    hint: `Only a shell knows ~ and $HOME, and leaves ~ as it is behind "=", and both within '…': write the path out, or ${long} and the path as two words.`,
  });
}
