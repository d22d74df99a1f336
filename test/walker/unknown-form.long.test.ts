// Platforms that know no document trees: the API document names the parameter `format` and none of its values.
import { describe, expect, it } from 'vitest';
import { heldOf } from '../../src/mirror/index.ts';
import { addRequest, addSpace, edit, insert } from '../support/content.ts';
import { rewriting, type Rewrite, type Rewriting } from '../support/rewriting.ts';
import { TestWorld } from '../support/world.ts';

const DAY_MS = 24 * 3_600_000;
const BOTH = ['change-request-page-document', 'page-document'];

/** Answers for a page in the form that is asked for; undefined as the platform does. */
type Answers = (title: string) => 'refuses' | 'ignores' | 'leaves out' | 'fails' | undefined;

function knowing(proxy: Rewriting, answers: Answers): void {
  const rewrite: Rewrite = ({ path, query }, { status, body }) => {
    if (!path.includes('/content/page/') || query.get('format') !== 'document') return undefined;
    const { document: _document, markdown: _markdown, title, ...page } = body as Record<string, unknown>;
    const what = answers(String(title));
    if (what === undefined) return undefined;
    const message = 'format must be markdown';
    if (what === 'fails') return { status: 409, body: { error: { code: 409, message: 'Busy' } } };
    if (what === 'refuses') return { status: 400, body: { error: { code: 400, message } } };
    if (what === 'leaves out') return { status, body: { ...page, title } };
    return { status, body: { ...page, title, markdown: `# ${String(title)}\n` } };
  };
  proxy.rewrite = rewrite;
}

interface Walked {
  readonly state: string;
  readonly notOffered: string[];
  readonly failed: [string, string][];
}

class Nights implements AsyncDisposable {
  readonly #world: TestWorld;
  readonly #proxy: Rewriting;
  readonly #space: string;

  private constructor(world: TestWorld, proxy: Rewriting, space: string) {
    this.#world = world;
    this.#proxy = proxy;
    this.#space = space;
  }

  /** Nights of one space of so many pages. */
  static async of(pages: number): Promise<Nights> {
    const world = await TestWorld.create();
    const proxy = await rewriting(world);
    const space = await addSpace(world, 'Guide');
    await edit(world, space, ...Array.from({ length: pages }, (_, index) => insert(`Page ${index}`, `Text ${index}.`)));
    return new Nights(world, proxy, space);
  }

  async propose(): Promise<void> {
    const { id: changeRequestId } = await addRequest(this.#world, this.#space, { subject: 'One' });
    const path = { spaceId: this.#space, changeRequestId };
    await this.#world.api.changeContent({ path, body: { changes: [insert('Proposed', 'New.')] } });
  }

  add(title: string): Promise<void> {
    return edit(this.#world, this.#space, insert(title, 'New.'));
  }

  async next(answers: Answers): Promise<Walked> {
    knowing(this.#proxy, answers);
    this.#world.clock.advance(DAY_MS);
    const { snapshot, notOffered, failures } = await this.#world.sync({
      client: this.#proxy.client,
      settings: { documents: true, rereadNights: 3 },
    });
    return {
      state: snapshot.state,
      notOffered: notOffered.map(({ kind }) => kind),
      // The pages were written by a change request that was merged, and shows the same.
      failed: failures.filter(({ kind }) => kind === 'page-document').map(({ kind, code }) => [kind, code]),
    };
  }

  /** Adds a space of so many pages. */
  async grow(title: string, pages: number): Promise<void> {
    const space = await addSpace(this.#world, title);
    const inserts = Array.from({ length: pages }, (_, index) => insert(`${title} ${index}`, `Text ${index}.`));
    await edit(this.#world, space, ...inserts);
  }

  documents(): number {
    return heldOf(this.#world.mirror, 'page-document').length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    await this.#world[Symbol.asyncDispose]();
  }
}

describe('walker/unknown-form', () => {
  it.each(['refuses', 'ignores', 'leaves out'] as const)(
    'says that document trees are not offered where the platform %s the form: each page was a failure on every night',
    async (what) => {
      await using nights = await Nights.of(8);
      await nights.propose();
      const known = { state: 'complete', notOffered: BOTH, failed: [] };
      expect(await nights.next(() => what)).toMatchObject(known);
      for (let night = 0; night < 3; night++) expect(await nights.next(() => what)).toMatchObject(known);
    },
  );

  it('reads them once the platform knows them', async () => {
    await using nights = await Nights.of(8);
    await nights.next(() => 'ignores');
    expect(nights.documents()).toBe(0);
    for (let night = 0; night < 4 && nights.documents() < 8; night++) await nights.next(() => undefined);
    expect(await nights.next(() => undefined)).toMatchObject({ state: 'complete', notOffered: [], failed: [] });
    expect(nights.documents()).toBe(8);
  });

  it.each(['refuses', 'ignores', 'leaves out'] as const)(
    'fails for the few pages of which it %s the form',
    async (what) => {
      await using nights = await Nights.of(8);
      const few: Answers = (title) => (['Page 0', 'Page 1', 'Page 2'].includes(title) ? what : undefined);
      const code = what === 'refuses' ? 'DM_HTTP_STATUS' : 'DM_NO_DOCUMENT';
      const failed = Array.from({ length: 3 }, () => ['page-document', code]);
      expect(await nights.next(few)).toMatchObject({ state: 'partial', notOffered: [], failed });
    },
  );

  it('fails for each page, and not for the platform, where there are few', async () => {
    await using nights = await Nights.of(2);
    expect(await nights.next(() => 'ignores')).toMatchObject({ state: 'partial', notOffered: [] });
  });

  it('fails where document trees were read before: a platform does not unlearn them', async () => {
    await using nights = await Nights.of(8);
    await nights.next(() => undefined);
    await nights.add('Another');
    const failed = [['page-document', 'DM_NO_DOCUMENT']];
    expect(await nights.next(() => 'ignores')).toMatchObject({ state: 'partial', notOffered: [], failed });
    expect(nights.documents()).toBe(8);
  });

  it('is not complete where one page has a tree after others were said to have none', async () => {
    await using nights = await Nights.of(12);
    const answers: Answers = (title) => (title === 'Page 11' ? undefined : 'ignores');
    const walked = await nights.next(answers);
    expect([walked.state, walked.notOffered]).not.toEqual(['complete', []]);
    if (nights.documents() > 0) expect(walked).toMatchObject({ state: 'partial', notOffered: [] });
  });

  it('stays not offered on a night that asks for a few pages alone: each such night was partial', async () => {
    await using nights = await Nights.of(8);
    await nights.next(() => 'refuses');
    await nights.grow('Small', 2);
    expect(await nights.next(() => 'refuses')).toMatchObject({
      state: 'complete',
      notOffered: expect.arrayContaining(['page-document']),
      failed: [],
    });
  });

  it('asks the next night for all pages once one has a tree: those of other spaces were lacking from complete snapshots', async () => {
    await using nights = await Nights.of(8);
    await nights.next(() => 'ignores');
    await nights.grow('New', 1);
    const walked = await nights.next(() => undefined);
    expect([nights.documents(), walked.state]).toEqual([1, 'partial']);
    expect(await nights.next(() => undefined)).toMatchObject({ state: 'complete', notOffered: [], failed: [] });
    expect(nights.documents()).toBe(9);
  });

  it('is said of a platform of which another page fails for a reason of its own', async () => {
    await using nights = await Nights.of(12);
    const answers: Answers = (title) => (title === 'Page 0' ? 'fails' : 'ignores');
    const failed = [['page-document', 'DM_HTTP_STATUS']];
    expect(await nights.next(answers)).toMatchObject({ state: 'partial', notOffered: BOTH, failed });
  });

  it('asks for all pages of a platform that has learned them, of which one is refused for what stands in it', async () => {
    await using nights = await Nights.of(8);
    await nights.next(() => 'refuses');
    const answers: Answers = (title) => (title === 'Page 0' ? 'refuses' : undefined);
    for (let night = 0; night < 4; night++) await nights.next(answers);
    expect(nights.documents()).toBe(7);
    const failed = [['page-document', 'DM_HTTP_STATUS']];
    expect(await nights.next(answers)).toMatchObject({ state: 'partial', notOffered: [], failed });
  });
});
