// A platform that only answers from memory: every answer is made before the first request. `SPACES PAGES BYTES` of the text.
import { createServer } from 'node:http';

const [spaces = 100, pages = 200, bytes = 4096] = process.argv.slice(2).map(Number);
const NOW = '2025-01-01T00:00:00.000Z';
const answers = new Map<string, Buffer>();

function answer(path: string, body: unknown): void {
  answers.set(path, Buffer.from(JSON.stringify(body)));
}

const list = (items: readonly unknown[]) => ({ count: items.length, items });
const rights = { view: true, access: true, admin: true };

function spaceOf(number: number) {
  const id = `space${number}`;
  const counts = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 };
  const fixed = { object: 'space', visibility: 'private', organization: 'org', urls: {}, permissions: rights };
  const named = { id, title: `Space ${number}`, emoji: '1f4d8', revision: `rev${number}` };
  return { ...fixed, ...named, ...counts, createdAt: NOW, updatedAt: NOW, defaultLevel: null };
}

function pageOf(space: number, number: number) {
  const id = `page${space}x${number}`;
  const named = { id, title: `Page ${number}`, slug: `page-${number}`, path: `page-${number}` };
  return { ...named, type: 'document', documentId: `doc${space}x${number}`, createdAt: NOW, updatedAt: NOW, urls: {} };
}

function textOf(space: number, number: number): string {
  const line = `Page ${number} of space ${space}: what stands here is as long as a page mostly is, and says as little.\n`;
  return `# Page ${number}\n\n${line.repeat(Math.ceil(bytes / line.length))}`.slice(0, bytes);
}

function addSpace(number: number): void {
  const path = `/v1/spaces/space${number}`;
  const entries = Array.from({ length: pages }, (_, index) => pageOf(number, index));
  const parts = { pages: entries, files: [], reusableContents: [] };
  answer(path, spaceOf(number));
  answer(`${path}/content`, {
    object: 'revision',
    id: `rev${number}`,
    parents: [],
    ...parts,
    createdAt: NOW,
    urls: {},
    type: 'edits',
  });
  for (const name of ['links', 'comments', 'change-requests']) answer(`${path}/${name}`, list([]));
  answer(`${path}/custom-fields`, []);
  for (const [index, entry] of entries.entries())
    answer(`${path}/content/page/${entry.id}`, { ...entry, markdown: textOf(number, index) });
}

const all = Array.from({ length: spaces }, (_, number) => spaceOf(number));
const organization = { object: 'organization', id: 'org', title: 'Memory', createdAt: NOW, emailDomains: [] };
answer('/v1/orgs', list([{ ...organization, type: 'business', inviteLinks: false, plan: 'pro', permissions: rights }]));
const user = { object: 'user', id: 'user', displayName: 'User', urls: {} };
answer('/v1/orgs/org/members', list([{ object: 'member', id: 'user', role: 'admin', user, spaces, teams: 0 }]));
answer('/v1/orgs/org/members/user/spaces', list(all.map((space) => ({ permission: 'admin', space }))));
all.forEach((_, number) => addSpace(number));
const NONE = Buffer.from(JSON.stringify(list([])));

const server = createServer((request, response) => {
  const body = answers.get((request.url ?? '').split('?', 1)[0] ?? '') ?? NONE;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
