// A platform that only answers from memory: every answer is made before the first request. `SPACES PAGES BYTES` of the text, then
// what the first space has besides: groups of pages in its tree, files, and the MiB of each, which are made as they are sent.
import { createServer, type ServerResponse } from 'node:http';

const [spaces = 100, pages = 200, bytes = 4096, groups = 0, files = 0, fileMiB = 0] = process.argv.slice(2).map(Number);
const MIB = 2 ** 20;
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

/** An entry of a tree that leads to no request. */
function groupOf(number: number) {
  const text = `What group ${number} is about, at some length. `.repeat(6);
  const named = { id: `group${number}`, title: `Group ${number}`, slug: `group-${number}`, path: `group-${number}` };
  return { ...named, type: 'group', description: text, createdAt: NOW, updatedAt: NOW, urls: {}, pages: [] };
}

function fileOf(number: number) {
  const named = { id: `file${number}`, name: `file ${number}.bin`, contentType: 'application/octet-stream' };
  return { ...named, size: fileMiB * MIB, downloadURL: `/bytes/${number}` };
}

/** Bytes of a file, as fast as they are taken. */
function sendBytes(response: ServerResponse, number: number): void {
  const chunk = Buffer.alloc(MIB, `file ${number} `);
  let left = fileMiB;
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': fileMiB * MIB });
  const more = (): void => {
    while (left-- > 0) if (!response.write(chunk)) return;
    response.end();
  };
  response.on('drain', more);
  more();
}

function addSpace(number: number): void {
  const path = `/v1/spaces/space${number}`;
  const entries = Array.from({ length: pages }, (_, index) => pageOf(number, index));
  const isFirst = number === 0;
  const tree = [...entries, ...Array.from({ length: isFirst ? groups : 0 }, (_, index) => groupOf(index))];
  const held = Array.from({ length: isFirst ? files : 0 }, (_, index) => fileOf(index));
  const parts = { pages: tree, files: held, reusableContents: [] };
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

// So that the client is not held back: a limit that nobody reaches.
const MOST = 10_000_000;

const server = createServer((request, response) => {
  const wanted = /^\/bytes\/(\d+)/.exec(request.url ?? '');
  if (wanted) return sendBytes(response, Number(wanted[1]));
  const body = answers.get((request.url ?? '').split('?', 1)[0] ?? '') ?? NONE;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-ratelimit-limit': MOST,
    'x-ratelimit-remaining': MOST,
    'x-ratelimit-reset': Math.ceil(Date.now() / 1000) + 10,
  });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
