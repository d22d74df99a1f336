// How much is sent where a platform takes so many pages and no more.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { ApiError } from '../../src/client/index.ts';
import {
  dividedPart,
  halvedOrLeft,
  Refusals,
  type Divisible,
  type ImportPart,
} from '../../src/restore/content/divided-parts.ts';
import { refusalOf, sendDivided } from '../../src/restore/content/send-divided.ts';
import type { Untaken } from '../../src/restore/journal/untaken.ts';

const [PAGES, TAKEN] = [64, 32];

function refused(status: number): ApiError {
  const facts = {
    operation: 'importContent',
    method: 'POST',
    target: '/import',
    attempts: 1,
    retryable: false,
    sent: true,
  };
  return new ApiError('DM_HTTP_STATUS', { what: `answered ${status}`, hint: '' }, { ...facts, status });
}

const FROM: Divisible = {
  filesAlong: () => [],
  isBrought: () => true,
  titleOf: (_kind, id) => id,
  lackOf: () => 'content',
};

interface Sent {
  readonly pages: number;
  readonly sleptMs: number;
  readonly left: number;
  /** How often a page went again that was taken. */
  readonly proofs: number;
}

async function sentTo(status: number): Promise<Sent> {
  const all = Array.from({ length: PAGES }, (_, page) => String(page));
  const [refusals, taken] = [new Refusals(), new Set<string>()];
  let [pages, sleptMs, proofs] = [0, 0, 0];
  const send = (part: ImportPart): Promise<true> => {
    pages += part.pages.length;
    if (part.pages.every((page) => taken.has(page))) proofs += 1;
    const after = new Set([...taken, ...part.pages]);
    if (after.size > TAKEN) return Promise.reject(refused(status));
    for (const page of part.pages) taken.add(page);
    return Promise.resolve(true);
  };
  const clock = {
    ...systemClock(),
    sleep: (ms: number): Promise<void> => {
      sleptMs += ms;
      return Promise.resolve();
    },
  };
  const whole = { part: { pages: all, files: [] }, refusals, ...refusalOf(refused(status)) };
  await sendDivided({ clock }, { parts: dividedPart(FROM, whole), refusals, from: FROM, send, mayRepeat: true });
  return { pages, sleptMs, left: refusals.untaken.length, proofs };
}

it.each([
  [400, 1],
  // What is wrong with a page is said of that page: several are named before anything is asked about them.
  [422, 4],
])(
  'restore/content asks with one page whether anything is taken yet (%i): all that had been taken last went again for it, and it waited for each page',
  async (status, refusedBefore) => {
    const { pages, sleptMs, left, proofs } = await sentTo(status);
    expect([left, proofs]).toEqual([PAGES - TAKEN, (PAGES - TAKEN) / refusedBefore]);
    // What is taken; the halves of the others; each of these with its text, again, and with its title, and what proves it.
    expect(pages).toBeLessThan(TAKEN + 6 * (PAGES - TAKEN) + 4 * (PAGES - TAKEN));
    expect(sleptMs).toBeLessThanOrEqual(20_000);
  },
);

it('restore/content sends nothing again that a platform would have twice then: one page was, for each that is refused', async () => {
  const taken: string[] = [];
  const send = ({ pages }: ImportPart): Promise<true> => {
    if (pages.includes('2')) return Promise.reject(refused(422));
    taken.push(...pages);
    return Promise.resolve(true);
  };
  const [refusals, clock] = [new Refusals(), systemClock()];
  const parts = [['0', '1'], ['2'], ['3']].map((pages) => ({ pages, files: [] }));
  const sent = await sendDivided({ clock }, { parts, refusals, from: FROM, send, mayRepeat: false });
  expect([taken, sent?.parts.length]).toEqual([['0', '1', '3'], 2]);
  expect(refusals.untaken).toMatchObject([{ id: '2', what: 'all' }]);
  const last = await sendDivided({ clock }, { parts: parts.slice(0, 2), refusals, from: FROM, send, mayRepeat: false });
  expect([taken, last?.parts.length]).toEqual([['0', '1', '3', '0', '1'], 1]);
});

it('restore/content takes a file that went in for no proof that pages are taken: all of them would be left out as refused', async () => {
  const send = ({ pages }: ImportPart): Promise<true> =>
    pages.length === 0 ? Promise.resolve(true) : Promise.reject(refused(422));
  const [refusals, clock] = [new Refusals(), systemClock()];
  const parts = [
    { pages: [], files: ['picture'] },
    { pages: ['0', '1'], files: [] },
  ];
  await expect(sendDivided({ clock }, { parts, refusals, from: FROM, send, mayRepeat: true })).rejects.toThrow('422');
});

it('restore/content waits for each page that is taken after a moment, however many others were refused for good between them', async () => {
  const taken = new Set<string>();
  let isRested = false;
  const send = ({ pages }: ImportPart): Promise<true> => {
    const isNow = isRested || pages.every((page) => taken.has(page));
    isRested = false;
    if (!isNow || pages.some((page) => page.startsWith('bad'))) return Promise.reject(refused(400));
    for (const page of pages) taken.add(page);
    return Promise.resolve(true);
  };
  const sleep = (): Promise<void> => Promise.resolve(void (isRested = true));
  const [refusals, clock] = [new Refusals(), { ...systemClock(), sleep }];
  const parts = Array.from({ length: 24 }, (_, at) => ({
    pages: [`${at % 2 === 0 ? 'late' : 'bad'} ${at}`],
    files: [],
  }));
  await sendDivided({ clock }, { parts, refusals, from: FROM, send, mayRepeat: true });
  expect([taken.size, refusals.untaken.length]).toEqual([12, 12]);
});

describe('restore/content, where links are set in pages that stand and the platform refuses one of them', () => {
  async function linkedBut(refusedPage: string, { status, known }: { status: number; known: Untaken[] }) {
    const [refusals, linked, tried] = [new Refusals(known), new Set<string>(), new Map<string, number>()];
    const send = ({ pages }: ImportPart): Promise<true> => {
      for (const page of pages) tried.set(page, (tried.get(page) ?? 0) + 1);
      if (pages.includes(refusedPage)) return Promise.reject(refused(status));
      for (const page of pages) linked.add(page);
      return Promise.resolve(true);
    };
    const clock = { ...systemClock(), sleep: () => Promise.resolve() };
    const parts = [{ pages: ['0', '1', '2', '3'], files: [] }];
    await sendDivided({ clock }, { parts, refusals, from: FROM, send, instead: halvedOrLeft, mayRepeat: true });
    return { linked: [...linked].toSorted(), left: refusals.untaken, tries: tried.get(refusedPage) ?? 0 };
  }

  it.each([
    { status: 422, tries: 3, again: 'once' },
    { status: 400, tries: 4, again: 'again after a moment' },
  ])('sets those of all others, asks for it $again, and names it: $status', async ({ status, tries }) => {
    const done = await linkedBut('2', { status, known: [] });
    expect(done).toMatchObject({ linked: ['0', '1', '3'], left: [{ id: '2', what: 'links' }], tries });
  });

  it('sets those of a page that is too much with its files alone: it was named as left, though nothing was wrong with it', async () => {
    const [refusals, sent] = [new Refusals(), [] as ImportPart[]];
    const from: Divisible = { ...FROM, filesAlong: (page) => (page === '1' ? ['big'] : []) };
    const send = (part: ImportPart): Promise<true> => {
      const isHeavy = part.files.length > 0 || (part.pages.includes('1') && !refusals.apart.has('big'));
      if (isHeavy) return Promise.reject(refused(413));
      sent.push(part);
      return Promise.resolve(true);
    };
    const parts = [{ pages: ['0', '1', '2'], files: ['beside'] }];
    const sending = { parts, refusals, from, send, instead: halvedOrLeft, mayRepeat: true };
    await sendDivided({ clock: systemClock() }, sending);
    expect(sent.flatMap(({ pages }) => pages)).toEqual(['0', '1', '2']);
    expect(refusals.untaken).toEqual([]);
  });

  it('names no page again of which nothing but the title came', async () => {
    const bare: Untaken = { kind: 'page', id: '2', title: '2', what: 'content', why: 'refused' };
    expect((await linkedBut('2', { status: 422, known: [bare] })).left).toEqual([bare]);
  });
});
