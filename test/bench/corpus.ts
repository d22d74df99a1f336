// Pages of any number, written straight into a mirror as a walk would write them, and edited by a few words each night.
import {
  atOnce,
  manualClock,
  seededRandom,
  shiftedClock,
  type Random,
  type ShiftedClock,
} from '../../src/base/index.ts';
import {
  observe,
  openMirror,
  openSnapshot,
  sealSnapshot,
  type Mirror,
  type OpenSnapshot,
} from '../../src/mirror/index.ts';
import { scaleText } from '../../src/platform/seed/scale-text.ts';

export interface CorpusOptions {
  readonly pages: number;
  readonly spaces: number;
  /** Bytes of a page's text, at least. */
  readonly bytes: number;
}

export interface Corpus extends CorpusOptions {
  readonly random: Random;
  /** Text of each page as it is now. */
  readonly texts: string[];
  /** Moves on by a day with each night. */
  readonly clock: ShiftedClock;
  /** 0 before the first night. */
  night: number;
}

const DAY = 86_400_000;
const EDITED_WORDS = 4;
const WORDS = ['harbour', 'ledger', 'signal', 'window', 'copper', 'meadow', 'anchor', 'lantern'];
const NO_BRAKE = { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 2, rewrittenCount: 1e9 };

export function createCorpus(options: CorpusOptions): Corpus {
  const random = seededRandom(1);
  const texts = Array.from({ length: options.pages }, () => scaleText(random, options.bytes));
  return { ...options, random, texts, clock: shiftedClock(manualClock(Date.UTC(2025, 0, 1))), night: 0 };
}

/** Changes a few words in each of some pages; answers their numbers, ascending. */
export function editSome(corpus: Corpus, count: number): number[] {
  const { random, texts } = corpus;
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.int(texts.length));
  for (const index of chosen) {
    const words = (texts[index] ?? '').split(' ');
    for (let edit = 0; edit < EDITED_WORDS; edit++)
      words[3 + random.int(words.length - 3)] = `${WORDS[random.int(WORDS.length)] ?? ''}${corpus.night}`;
    texts[index] = words.join(' ');
  }
  return [...chosen].toSorted((a, b) => a - b);
}

export function openCorpusMirror(corpus: Corpus, dataDir: string): Promise<Mirror> {
  return openMirror({ dataDir, clock: corpus.clock });
}

/** One snapshot in which the given pages are seen with their texts, and the spaces and revisions that they stand in. */
export function writeNight(mirror: Mirror, corpus: Corpus, pages: Iterable<number>): void {
  const id = openSnapshot(mirror, { mode: 'incremental', scope: null, origin: 'http://127.0.0.1' });
  mirror.store.transaction(() => {
    const write = writer({ mirror, id }, corpus);
    for (const page of pages) write(page);
  });
  atOnce(sealSnapshot({ mirror, id }, NO_BRAKE));
  corpus.night += 1;
  corpus.clock.advance(DAY);
}

function writer(open: OpenSnapshot, corpus: Corpus): (page: number) => void {
  const organization = observe(open, {
    kind: 'organization',
    params: { organizationId: 'org' },
    scope: null,
    body: { object: 'organization', id: 'org', title: 'Scale' },
  }).rid;
  const revisions = new Map<number, number>();
  const perSpace = corpus.pages / corpus.spaces;
  return (page) => {
    const space = Math.floor(page / perSpace);
    const revision = revisions.get(space) ?? writeSpace(open, corpus.night, { space, organization });
    revisions.set(space, revision);
    const body = pageBody(corpus, page, idOf('space', space));
    const params = { spaceId: idOf('space', space), pageId: idOf('page', page) };
    const text = corpus.texts[page] ?? '';
    observe(open, { kind: 'page', params, scope: revision, body, text, parent: null, position: page % perSpace });
  };
}

function writeSpace(
  open: OpenSnapshot,
  night: number,
  { space, organization }: { space: number; organization: number },
): number {
  const id = idOf('space', space);
  const revision = idOf('revision', space * 5000 + night);
  const urls = { app: `https://app.platform.example/o/org/s/${id}` };
  const scope = observe(open, {
    kind: 'space',
    params: { spaceId: id },
    scope: organization,
    body: {
      object: 'space',
      id,
      title: `Space ${space}`,
      visibility: 'in-collection',
      createdAt: at(0, space),
      updatedAt: at(night, space),
      revision,
      comments: 0,
      changeRequests: 2,
      urls,
    },
  }).rid;
  const parents = [idOf('revision', space * 5000 + night - 1)];
  const body = { object: 'revision', id: revision, parents, type: 'edits', createdAt: at(night, space), urls };
  return observe(open, { kind: 'revision', params: { spaceId: id }, scope, body }).rid;
}

function pageBody({ texts, night }: Corpus, page: number, space: string): Record<string, unknown> {
  return {
    id: idOf('page', page),
    title: (texts[page] ?? '').slice(3, 30),
    kind: 'sheet',
    type: 'document',
    path: `section/page-${page}`,
    slug: `page-${page}`,
    documentId: idOf('document', page * 5000 + night),
    createdAt: at(0, page),
    updatedAt: at(night, page),
    urls: { app: `https://app.platform.example/o/org/s/${space}/section/page-${page}` },
    layout: { description: true, outline: true, pagination: true },
  };
}

/** As the platform's ids: the same for the same thing. */
function idOf(kind: string, number: number): string {
  return seededRandom(number * 16 + kind.length).id();
}

function at(night: number, number: number): string {
  const seconds = Date.UTC(2025, 0, 1, 2) / 1000 + night * 86_400 + (number % 3600);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(number % 1000).padStart(3, '0')}Z`;
}
