import type { Command } from 'commander';
import { AppError, lazyBy } from '../../base/index.ts';
import {
  currentOf,
  detailOf,
  diffSnapshots,
  isSame,
  outlineOf,
  readerAt,
  resolveSnapshot,
  wholeSpaces,
  type Difference,
  type DifferenceDetail,
  type DiffFilter,
  type Mirror,
  type WholeSpaces,
} from '../../mirror/index.ts';
import { noteDoubt } from '../advice.ts';
import { createCommand, does, kindNamed, TIME_NOTE, type Run } from '../command.ts';
import { diffJson, diffView, isWithin } from '../views/diff.ts';

const LATEST = 'latest';

interface Options {
  kind?: string;
  space?: string;
  text?: boolean;
}

export function diffCommand(run: Run): Command {
  const command = createCommand({
    name: 'diff',
    examples: [
      'diff 1',
      'diff 1 2',
      'diff 2025-03-01 latest --kind page --text',
      'diff 1 2 --space ID',
      'diff 1 2 --json',
    ],
    notes: [TIME_NOTE],
  })
    .argument('<a>', 'a snapshot: number, time or "latest"')
    .argument('[b]', 'the other one', LATEST)
    .option('--kind <kind>', 'only this kind: page, space, comment …')
    .option('--space <id>', 'only this space and what it holds')
    .option('--text', 'show what changed in the fields, and in texts line by line');
  return does<Options>(run, command, async ({ app, screen, args, endAtOnce }, options) => {
    using mirror = app.reader();
    const from = resolveSnapshot(mirror, args[0] ?? '').id;
    const to = resolveSnapshot(mirror, args[1] ?? LATEST).id;
    const limit = {
      kind: options.kind === undefined ? null : kindNamed(options.kind),
      space: spaceNamed(mirror, options.space),
    };
    const text = options.text ?? false;
    // Nothing is written that could be left half-done.
    endAtOnce();
    await screen.stream(
      () => diffJson({ from, to, ...limit }, changesOf(mirror, [from, to], { filter: limit, look: detailOf })),
      (look) => {
        const isLimited = limit.kind !== null || limit.space !== null;
        const whole = isLimited ? undefined : wholeSpaces(mirror, [from, to]);
        const filter = { ...limit, parentsFirst: true };
        const changes = changesOf(mirror, [from, to], { filter, look: text ? detailOf : outlineOf, whole });
        const spaceName = limit.space === null ? spaceNames(mirror, [to, from]) : undefined;
        return diffView({ from, to, changes, text, limit, whole, spaceName }, look);
      },
    );
    for (const one of new Set([from, to])) await noteDoubt(app, screen, one);
  });
}

interface Looking {
  readonly filter: DiffFilter;
  /** Tells of one difference what is wanted of it. */
  readonly look: typeof detailOf;
  /** Of what came or went with these nothing is told, and nothing looked at. */
  readonly whole?: WholeSpaces | undefined;
}

const NONE_WHOLE: WholeSpaces = new Map();

/** One after the other: what stands in thousands of them would fill the memory. */
function* changesOf(
  mirror: Mirror,
  span: readonly [number, number],
  { filter, look, whole = NONE_WHOLE }: Looking,
): Generator<DifferenceDetail> {
  for (const found of diffSnapshots(mirror, span, filter)) {
    const detail = isWithin(whole, found) ? bare(found) : look(mirror, span, found);
    if (!isSame(detail)) yield detail;
  }
}

/** As the first of these snapshots that has the space calls it. */
function spaceNames(mirror: Mirror, snapshots: readonly number[]): (id: string) => string {
  const readers = snapshots.map((at) => readerAt(mirror, at, { damaged: 'empty' }));
  return lazyBy((id) => {
    const title = readers.map((reader) => reader.one('space', id)?.body['title']).find((one) => one !== undefined);
    return typeof title === 'string' && title.trim() !== '' ? title : id;
  });
}

/** Without its name, which takes the longest to find. */
function bare({ kind, key, space, change }: Difference): DifferenceDetail {
  return { kind, key, space, change, label: key, fields: [], text: null };
}

/** One that is gone by now counts, too. */
function spaceNamed(mirror: Mirror, id: string | undefined): string | null {
  if (id === undefined || currentOf(mirror, 'space', id) !== undefined) return id ?? null;
  throw new AppError(
    'DM_USAGE',
    `--space is ${JSON.stringify(id)}; expected the id of a space that the mirror has seen`,
    {
      hint: 'Find it with docmirror query "select id, title from spaces_history".',
    },
  );
}
