// A space at the root that leads to all the others.
import type { DemoWork } from './change-requests.ts';
import { readSpace, type MadeSpace } from './containers.ts';

const TITLE = 'Start here';
const WELCOME = `---
description: What this place is and where to go
emoji: 👋
---

# Welcome

Every page here came with a package that is installed on this machine. Nothing was fetched from the network.

> Break anything you like: it is gone when the platform stops, and the mirror has a copy.
`;

/** Makes the space by importing one document, then adds a map of all spaces through a change request that is merged. */
export async function addWelcome({ seeding, team, spaces }: DemoWork): Promise<MadeSpace> {
  const { caller, organization, sources } = seeding;
  const space = await caller.call('createSpace', {
    path: { organizationId: organization },
    body: { title: TITLE, emoji: '👋' },
  });
  const path = { spaceId: space.id };
  const url = sources.offer('welcome.md', Buffer.from(WELCOME));
  await caller.call('importContent', { path, body: { url, source: 'markdown' } });
  sources.withdraw('welcome.md');
  const { token } = team.creator;
  const request = await caller.call('createChangeRequest', { path, body: { subject: 'Map of all spaces' }, token });
  const requestPath = { ...path, changeRequestId: request.id };
  const changes = [{ type: 'insert_page' as const, title: 'Map', emoji: '🧭', document: { markdown: mapOf(spaces) } }];
  await caller.call('changeContent', { path: requestPath, body: { changes }, token });
  await caller.call('mergeChangeRequest', { path: requestPath, token: team.reviewer.token });
  return readSpace(seeding, { id: space.id, title: TITLE });
}

function mapOf(spaces: readonly MadeSpace[]): string {
  const lines = spaces.map(({ id, title, documents, pages }) => {
    const first = documents[0];
    const name = first ? `[${title}](/spaces/${id}/pages/${first.id})` : title;
    return `* ${name}: ${pages} pages`;
  });
  return `# Map\n\nAll spaces with their first page.\n\n${lines.join('\n')}\n`;
}
