// Change requests of the demo in every state: merged, open, draft, archived.
import type { BodyOf, ChangeRequest, Page } from '../../../contract/index.ts';
import type { Seeding } from '../import-archive.ts';
import type { MadeSpace } from './containers.ts';
import type { Team } from './people.ts';

export interface DemoWork {
  seeding: Seeding;
  team: Team;
  spaces: readonly MadeSpace[];
}

type Changes = BodyOf<'changeContent'>['changes'];

interface Proposal {
  space: MadeSpace;
  subject: string;
  changes?: Changes;
  status?: 'open' | 'archived';
}

const SEE_ALSO_SPACES = 6;
const NOTES = `# Notes from the last upgrade

What we saw when these packages moved to a new version, so that the next upgrade is shorter.

1. Read the release notes from the version you have to the version you want.
2. Run the tests on the oldest supported runtime first.
3. Watch memory for a day; leaks show late.
`;

/** Makes the change requests, writes their content and merges those that are done. */
export async function addChangeRequests(work: DemoWork): Promise<void> {
  const [first, second, third, fourth] = work.spaces;
  if (!first || !second || !third || !fourth) return;
  await linkSpaces(work);
  await mergeImportedNotes(work, second);
  const open = await propose(work, {
    space: third,
    subject: 'Explain how to report a problem',
    changes: [
      insertPage('Reporting a problem', 'Say what you ran, what you saw and what you expected. Versions help.'),
    ],
    status: 'open',
  });
  await discuss(work, third, open);
  const { space, page } = firstDocument(first);
  await propose(work, {
    space,
    subject: 'Say for whom this is',
    changes: [await addLine(work, space, page)],
    status: 'open',
  });
  await propose(work, { space: fourth, subject: 'Glossary', changes: [insertPage('Glossary', 'To be written.')] });
  await propose(work, { space: second, subject: 'Ideas for the next quarter' });
  const replaced = [insertPage('Old roadmap', 'Replaced by the release notes.')];
  await propose(work, { space: first, subject: 'Roadmap', changes: replaced, status: 'archived' });
}

/** Pages that name related documentation in the space that follows: links that lead from one space into another. */
async function linkSpaces(work: DemoWork): Promise<void> {
  const chosen = work.spaces.slice(0, SEE_ALSO_SPACES + 1);
  for (const [index, space] of chosen.slice(0, -1).entries()) {
    const next = chosen[index + 1];
    const [, page = space.documents[0]] = space.documents;
    const target = next?.documents[0];
    if (!next || !page || !target) continue;
    const link = `[${next.title}: ${target.title}](/spaces/${next.id}/pages/${target.id})`;
    const changes = [await appendTo(work, { space, page, text: `## See also\n\n* ${link}\n` })];
    const request = await propose(work, { space, subject: `Link to ${next.title}`, changes, status: 'open' });
    await merge(work, space, request);
  }
}

async function mergeImportedNotes(work: DemoWork, space: MadeSpace): Promise<void> {
  const { seeding, team } = work;
  const request = await propose(work, { space, subject: 'Notes from the last upgrade', status: 'open' });
  const name = 'upgrade-notes.md';
  await seeding.caller.call('importChangeRequestContent', {
    path: { spaceId: space.id, changeRequestId: request.id },
    body: { url: seeding.sources.offer(name, Buffer.from(NOTES)), source: 'markdown' },
    token: team.editor.token,
  });
  seeding.sources.withdraw(name);
  await merge(work, space, request);
}

async function propose(work: DemoWork, proposal: Proposal): Promise<ChangeRequest> {
  const { caller } = work.seeding;
  const { token } = work.team.editor;
  const spaceId = proposal.space.id;
  const request = await caller.call('createChangeRequest', {
    path: { spaceId },
    body: { subject: proposal.subject },
    token,
  });
  const path = { spaceId, changeRequestId: request.id };
  if (proposal.changes) await caller.call('changeContent', { path, body: { changes: proposal.changes }, token });
  const { status } = proposal;
  if (status) await caller.call('updateChangeRequest', { path, body: { status }, token });
  return request;
}

async function merge({ seeding, team }: DemoWork, space: MadeSpace, request: ChangeRequest): Promise<void> {
  const path = { spaceId: space.id, changeRequestId: request.id };
  await seeding.caller.call('mergeChangeRequest', { path, token: team.reviewer.token });
}

async function discuss({ seeding, team }: DemoWork, space: MadeSpace, request: ChangeRequest): Promise<void> {
  const path = { spaceId: space.id, changeRequestId: request.id };
  const comment = await seeding.caller.call('createChangeRequestComment', {
    path,
    body: { body: { markdown: 'Could this name the address that reports go to?' } },
    token: team.reviewer.token,
  });
  await seeding.caller.call('createChangeRequestCommentReply', {
    path: { ...path, commentId: comment.id },
    body: { body: { markdown: 'It changes per package, so the page links to each.' } },
    token: team.editor.token,
  });
  await seeding.caller.call('createChangeRequestComment', {
    path,
    body: { body: { markdown: 'Reads well. **Ready** from my side.' } },
    token: team.commenter.token,
  });
}

function insertPage(title: string, text: string): Changes[number] {
  return { type: 'insert_page', title, document: { markdown: `# ${title}\n\n${text}\n` } };
}

function firstDocument(space: MadeSpace): { space: MadeSpace; page: Page | undefined } {
  return { space, page: space.documents[0] };
}

async function addLine(work: DemoWork, space: MadeSpace, page: Page | undefined): Promise<Changes[number]> {
  const text = 'This space is for people who maintain services, not only for those who write them.\n';
  return page ? appendTo(work, { space, page, text }) : insertPage('For whom', text);
}

async function appendTo(
  { seeding }: DemoWork,
  { space, page, text }: { space: MadeSpace; page: Page; text: string },
): Promise<Changes[number]> {
  const { markdown = '' } = await seeding.caller.call('getPage', {
    path: { spaceId: space.id, pageId: page.id },
    query: { format: 'markdown' },
  });
  return { type: 'update_page', page: page.id, document: { markdown: `${markdown.trimEnd()}\n\n${text}` } };
}
