import type { Command } from 'commander';
import { AppError, didYouMean, plural } from '../../base/index.ts';
import {
  countsOf,
  failuresOf,
  listAccepted,
  listPins,
  listSnapshots,
  notOfferedIn,
  outOfReach,
  refusedIn,
  resolveSnapshot,
  snapshotById,
} from '../../mirror/index.ts';
import type { Acceptance } from '../../app.ts';
import { adviceOn } from '../advice.ts';
import type { Look } from '../screen.ts';
import { createCommand, does, TIME_NOTE, wholeNumber, type Run } from '../command.ts';
import { snapshotDocument, snapshotsView, type SnapshotNotes } from '../views/snapshots.ts';
import { syncDocument, syncView } from '../views/sync.ts';
import { oneLine } from '../views/text.ts';
import { thousands } from '../views/units.ts';

export function snapshotsCommand(run: Run): Command {
  const command = createCommand({
    name: 'snapshots',
    examples: [
      'snapshots',
      'snapshots show 3',
      'snapshots accept 4 --reason "the old handbook was moved"',
      'snapshots pin 3 --reason "before the move"',
    ],
  });
  does(run, command.allowExcessArguments(), async ({ app, screen, args }) => {
    demandNone(command, args);
    using mirror = app.reader();
    const snapshots = listSnapshots(mirror);
    const notes = { pinned: listPins(mirror), accepted: listAccepted(mirror) };
    const document = snapshots.map((one) => ({ ...snapshotDocument(one), ...noteOn(notes, one.id) }));
    await screen.show(document, (look) => snapshotsView(snapshots, look, notes));
  });
  return command
    .addCommand(showCommand(run))
    .addCommand(acceptCommand(run))
    .addCommand(takeBackCommand(run, 'unaccept', UNACCEPT))
    .addCommand(pinCommand(run))
    .addCommand(takeBackCommand(run, 'unpin', 'Let policies decide about a snapshot again.'));
}

/** Else a word that is none of the commands below this one would be refused as one argument too many. */
function demandNone({ commands }: Command, [word]: readonly string[]): void {
  if (word === undefined) return;
  const names = commands.map((one) => one.name());
  const known = `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)}${didYouMean(word, names)}`;
  throw new AppError('DM_USAGE', `${JSON.stringify(word)} is no command of snapshots; expected ${known}`, {
    hint: /^\d+$/.test(word) ? `Run docmirror snapshots show ${word}.` : 'Run docmirror snapshots --help.',
  });
}

interface Reason {
  readonly reason: string;
  readonly at: string;
}

/** Why a person pinned a snapshot and accepted it; null for what nobody did. */
function noteOn({ pinned, accepted }: SnapshotNotes, snapshot: number): Record<'pinned' | 'accepted', Reason | null> {
  const of = (list: SnapshotNotes['pinned']): Reason | null => {
    const found = list.find((one) => one.snapshot === snapshot);
    return found ? { reason: found.reason, at: found.at } : null;
  };
  return { pinned: of(pinned), accepted: of(accepted) };
}

function showCommand(run: Run): Command {
  const command = createCommand({
    name: 'show',
    summary: 'Show one snapshot: counts by kind, failures, why it is not complete.',
    examples: ['snapshots show 3', 'snapshots show 3 --json'],
    notes: [TIME_NOTE],
  }).argument('<number>', 'number of the snapshot, a time or "latest"');
  return does(run, command, async ({ app, screen, args }) => {
    using mirror = app.reader();
    const named = args[0] ?? '';
    // One that is open or was abandoned has a number, too.
    const snapshot = /^\d+$/.test(named) ? snapshotById(mirror, Number(named)) : resolveSnapshot(mirror, named);
    const { id } = snapshot;
    const notes = noteOn({ pinned: listPins(mirror), accepted: listAccepted(mirror) }, id);
    const result = {
      snapshot,
      kinds: countsOf(mirror, id),
      failures: failuresOf(mirror, id),
      notOffered: notOfferedIn(mirror, id),
      unreachable: outOfReach(mirror, id),
      refused: refusedIn(mirror, id),
    };
    const document = {
      ...snapshotDocument(snapshot),
      ...(syncDocument(result) as object),
      unreachable: result.unreachable,
      notOffered: result.notOffered,
      refused: result.refused,
      ...notes,
    };
    const extras = {
      whole: true,
      advice: [
        ...(notes.pinned ? [`  pinned: ${oneLine(notes.pinned.reason)}`] : []),
        ...adviceOn(mirror, snapshot, app.config),
      ],
    };
    await screen.show(document, (look) => syncView(result, extras, look));
  });
}

function acceptCommand(run: Run): Command {
  const command = createCommand({
    name: 'accept',
    summary: 'Say that what a suspect snapshot shows is meant, or that what a partial one lacks cannot be read.',
    examples: [
      'snapshots accept 4 --reason "the old handbook was moved"',
      'snapshots accept 9 --reason "page Old/Install: the platform answers 500, ticket 123"',
    ],
    notes: [
      'Its own state stays as it is. Later snapshots are measured by a suspect one that was accepted; until then every further one that looks like it is suspect too.',
      'What a partial one lacks is asked for again each night, and named. As long as nothing else lacks, a later one counts as complete: it is exported, rehearsed and fresh, and sync exits with 0.',
    ],
  })
    .argument('<number>', 'number of the snapshot')
    .requiredOption('--reason <text>', 'why, for whoever reads it later');
  return does<{ reason: string }>(run, command, async ({ app, screen, args }, { reason }) => {
    const snapshot = wholeNumber('The number of the snapshot', args[0] ?? '');
    const acceptance = await app.accept(snapshot, reason);
    const { state, lacking } = acceptance;
    const document = { snapshot, accepted: true, reason, ...(state === 'partial' ? { lacking } : {}) };
    await screen.show(document, (look) =>
      [`Snapshot ${snapshot} is accepted: ${oneLine(reason)}`, ...whatFollows(acceptance, look)].join('\n'),
    );
  });
}

const SHOWN_LACKING = 20;

function whatFollows({ state, lacking }: Acceptance, { named }: Look): string[] {
  if (state === 'suspect') return [named('  next: docmirror sync, which is measured by it')];
  const more = lacking.length - SHOWN_LACKING;
  return [
    '  what later snapshots may lack, and count as complete:',
    ...lacking.slice(0, SHOWN_LACKING).map((one) => oneLine(`    ${lackingWords(one)}`).trimEnd()),
    ...(more > 0 ? [`    … and ${thousands(more)} more`] : []),
    named('  next: docmirror sync, which asks for it again'),
  ];
}

function lackingWords({ kind, resource, isListing }: Acceptance['lacking'][number]): string {
  return isListing ? `all ${plural(kind)} below ${resource}, also those that come to it` : `${kind} ${resource}`;
}

function pinCommand(run: Run): Command {
  const command = createCommand({
    name: 'pin',
    summary: 'Keep a snapshot whatever a policy says, until it is unpinned.',
    examples: ['snapshots pin 3 --reason "before the move"'],
  })
    .argument('<number>', 'number of the snapshot')
    .requiredOption('--reason <text>', 'why, for whoever reads it later');
  return does<{ reason: string }>(run, command, async ({ app, screen, args }, { reason }) => {
    const snapshot = wholeNumber('The number of the snapshot', args[0] ?? '');
    await app.pin(snapshot, reason);
    await screen.show({ snapshot, pinned: true, reason }, () => `Snapshot ${snapshot} is pinned: ${oneLine(reason)}`);
  });
}

const UNACCEPT = 'Take back that a snapshot was accepted, and later ones that lack nothing else.';
const SAID = { unaccept: 'accepted', unpin: 'pinned' } as const;

/** Takes back what was said of a snapshot. */
function takeBackCommand(run: Run, name: keyof typeof SAID, summary: string): Command {
  const examples = [`snapshots ${name} 3`];
  const command = createCommand({ name, summary, examples }).argument('<number>', 'number of the snapshot');
  return does(run, command, async ({ app, screen, args }) => {
    const snapshot = wholeNumber('The number of the snapshot', args[0] ?? '');
    const was = await app[name](snapshot);
    const said = SAID[name];
    await screen.show({ snapshot, [said]: false }, () =>
      was ? `Snapshot ${snapshot} is no longer ${said}` : `Snapshot ${snapshot} was not ${said}`,
    );
  });
}
