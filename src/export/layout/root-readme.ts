// The page at the root of an export that explains it to somebody who has nothing but these files.
import type { KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import type { SpaceFolder } from './containers.ts';
import { relativeLink } from './links.ts';
import { escapeMarkdown, SUMMARY } from './summary.ts';

const EXPLANATION = `# Documentation export

Written by Docmirror from one snapshot of its mirror. Nothing is needed to read it but a text editor.

* One folder per organization, per collection inside it, and per space.
* In a space: \`SUMMARY.md\` is the table of contents, each page is one Markdown file, the pages below a page lie in the folder of the
  same name, and \`assets/\` holds the attached files. Fields of a page stand at its head between two lines of \`---\`.
* Beside a space: \`<space>.change-requests/\` has a folder per change request with the pages that it changes,
  \`<space>.comments.jsonl\` has its comments and replies, one JSON object per line.
* Links between pages and to files are relative and work offline.
* \`SHA256SUMS\` lists every file: \`sha256sum -c SHA256SUMS\` checks them. \`.docmirror-export.json\` says which snapshot this is;
  \`.docmirror-index.db\` only saves the next export work and may be deleted.

The next export brings this folder up to date: edits to these files are overwritten, files of your own beside them stay.

## Spaces

`;

const LACKING = `
## What is not here

It was shown when the snapshot was made, and could never be read. Links to it lead nowhere.

`;

/** Text of the README at the root. It depends on the spaces and what they hold alone, so it changes only when they do. */
export function rootReadme(reader: SnapshotReader, folders: readonly SpaceFolder[]): string {
  const lines = folders.map((folder) => {
    return `* [${titleOf(folder)}](${relativeLink('README.md', `${folder.path}/${SUMMARY}`)})\n`;
  });
  const lacking = folders.flatMap((folder) => neverRead(reader, folder));
  return EXPLANATION + lines.join('') + (lacking.length === 0 ? '' : LACKING + lacking.join(''));
}

/** Pages and files are known by their ids alone then. */
function neverRead(reader: SnapshotReader, folder: SpaceFolder): string[] {
  return PARTS.flatMap((kind) => {
    const keys = reader.unread(kind, folder.id).filter((key) => reader.one(kind, key) === undefined);
    return keys.map((key) => `* ${kind} ${escapeMarkdown(key.slice(folder.id.length + 1))} of ${titleOf(folder)}\n`);
  });
}

const PARTS = ['page', 'file'] as const satisfies readonly KindName[];

function titleOf({ trail }: SpaceFolder): string {
  return trail.map(escapeMarkdown).join(' / ');
}
