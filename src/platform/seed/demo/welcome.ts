// A space at the root that leads to all the others.
import type { SeedTarget } from '../target.ts';
import { TOOLBOX_API } from './api-specs.ts';
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

const WRITING = `# Writing pages

Pages are Markdown with a few blocks beyond it.

{% hint style="info" %}
A hint stands out from the text around it.
{% endhint %}

{% tabs %}
{% tab title="npm" %}
\`\`\`sh
npm install
\`\`\`
{% endtab %}

{% tab title="pnpm" %}
\`\`\`sh
pnpm install
\`\`\`
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Open a change request

Nothing is live before it is merged.
{% endstep %}

{% step %}
### Ask for a review

- [x] Every link leads somewhere
- [ ] Somebody else has read it
{% endstep %}
{% endstepper %}

<details>

<summary>What else there is</summary>

A formula: $$e^{i\\pi} + 1 = 0$$

</details>

{% embed url="https://example.com/video" %}
`;

/** Makes the space by importing one document, then adds pages through a change request that is merged, and a computed one. */
export async function addWelcome(platform: SeedTarget, work: DemoWork): Promise<MadeSpace> {
  const { seeding, team, spaces } = work;
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
  const changes = [
    { type: 'insert_page' as const, title: 'Map', emoji: '🧭', document: { markdown: mapOf(spaces) } },
    { type: 'insert_page' as const, title: 'Writing pages', emoji: '✍️', document: { markdown: WRITING } },
  ];
  await caller.call('changeContent', { path: requestPath, body: { changes }, token });
  await caller.call('mergeChangeRequest', { path: requestPath, token: team.reviewer.token });
  platform.addComputedPage({ space: space.id, spec: TOOLBOX_API, title: 'Toolbox API' });
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
