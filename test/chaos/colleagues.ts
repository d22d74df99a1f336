// People who go on working while a restore writes: each thing that they do leaves a word that nothing else has, by which it is found again.
import type { Random } from '../../src/base/index.ts';
import type { Comment, Page } from '../../src/contract/index.ts';
import { addRequest, edit, flatten, insert } from '../support/content.ts';
import { isRefused } from '../support/refused.ts';
import type { TestWorld } from '../support/world.ts';
import { pick } from './edits.ts';

/** What a word stands in. */
export interface Written {
  readonly what: string;
  /** Kinds in which it is found. */
  readonly kinds: readonly string[];
  /** Ids of the space, or what else has it as its title, and of the page whose text or title it is. */
  readonly space: string;
  readonly page?: string;
}

interface Place {
  readonly space: string;
  readonly pages: readonly Page[];
  readonly page: Page;
  readonly word: string;
}

// A domain has no capitals.
const WORD = /zq\d+zq/i;

/** True for what a colleague wrote, or wrote into. */
export function isOfColleagues(one: unknown): boolean {
  return WORD.test(JSON.stringify(one));
}

export class Colleagues {
  /** What nobody of them has changed or taken away since, by its word. */
  readonly words = new Map<string, Written>();
  /** Ids of those that they made: a platform begins one with a page. */
  readonly spaces = new Set<string>();
  /** How many things they will do yet, once they are there. */
  left = 0;
  isThere = false;
  readonly #world: TestWorld;
  readonly #random: Random;
  #made = 0;
  #busy: Promise<void> = Promise.resolve();

  constructor(world: TestWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** One of them does one thing, which the platform may refuse; one after another. */
  act(): Promise<void> {
    if (!this.isThere || this.left === 0) return this.#busy;
    this.left -= 1;
    this.#busy = this.#busy.then(() => this.#undisturbed());
    return this.#busy;
  }

  /** Sends them away; resolves once what one of them had begun is done. */
  leave(): Promise<void> {
    this.left = 0;
    return this.#busy;
  }

  /** What fails of the platform meanwhile is not to leave in doubt what they did. */
  async #undisturbed(): Promise<void> {
    const { platform } = this.#world;
    const { faults } = platform;
    platform.faults = [];
    try {
      await this.#one();
    } catch (error) {
      if (!isRefused(error)) throw error;
    } finally {
      platform.faults = faults;
    }
  }

  async #one(): Promise<void> {
    const { api, organization, platform } = this.#world;
    const path = { organizationId: organization, userId: platform.owner };
    const { items } = await api.listMemberSpaces({ path, query: { limit: 1000 } });
    const space = pick(this.#random, items)?.space.id ?? '';
    const pages = flatten((await api.getRevision({ path: { spaceId: space } })).pages);
    const page = pick(this.#random, pages);
    const act = pick(this.#random, this.#acts);
    if (page !== undefined) await act?.({ space, pages, page, word: `Zq${++this.#made}zq` });
  }

  readonly #acts: readonly ((place: Place) => Promise<void>)[] = [
    ({ space, page, word }) => this.#rewrite({ space, page, word }),
    ({ space, page, word }) => this.#rewrite({ space, page, word }),
    async ({ space, page, word }) => {
      const below = page.type === 'document' && this.#random.int(2) === 0 ? { into: page.id } : {};
      await edit(this.#world, space, insert(word, `Of it: ${word}.`, below));
      this.#note(word, { what: 'a new page', kinds: ['page'], space });
    },
    async ({ space, page, word }) => {
      await edit(this.#world, space, { type: 'update_page', page: page.id, title: word });
      this.#forget(({ what }, old) => what !== 'a text' && old === page.title);
      this.#note(word, { what: 'a title', kinds: ['page'], space, page: page.id });
    },
    async ({ space, page }) => {
      await edit(this.#world, space, { type: 'delete_page', page: page.id });
      const gone = new Set(flatten([page]).flatMap(({ id, title }) => [id, title]));
      this.#forget((one, word) => gone.has(one.page ?? '') || gone.has(word));
    },
    async ({ space, page, word }) => {
      const on = page.type === 'document' ? { page: page.id } : {};
      await this.#world.api.createComment({ path: { spaceId: space }, body: { ...on, body: { markdown: word } } });
      this.#note(word, { what: 'a comment', kinds: ['comment'], space });
    },
    async ({ space, word }) => {
      const { comment, path } = await this.#comment(space);
      if (comment === undefined) return;
      await this.#world.api.createCommentReply({ path, body: { body: { markdown: word } } });
      this.#note(word, { what: 'a reply', kinds: ['comment-reply'], space });
    },
    async ({ space, page, word }) => {
      if (page.type !== 'document') return;
      const proposed = { type: 'update_page', page: page.id, document: { markdown: `Proposed: ${word}.` } } as const;
      await addRequest(this.#world, space, { subject: word, changes: [proposed] });
      this.#note(word, { what: 'a change request', kinds: ['change-request'], space });
    },
    async ({ space, word }) => {
      await this.#world.api.updateSpace({ path: { spaceId: space }, body: { title: word } });
      this.#titled(word, 'space', space);
    },
    async ({ space, word }) => {
      const { comment, path } = await this.#comment(space);
      if (comment === undefined) return;
      await this.#world.api.updateComment({ path, body: { body: { markdown: word } } });
      this.#forget((_one, old) => JSON.stringify(comment.body).includes(old));
      this.#note(word, { what: 'the text of a comment', kinds: ['comment'], space });
    },
    async ({ space, word }) => {
      const { comment, path } = await this.#comment(space);
      const reply = comment && pick(this.#random, (await this.#world.api.listCommentReplies({ path })).items);
      if (reply === undefined) return;
      const of = { ...path, commentReplyId: reply.id };
      await this.#world.api.updateCommentReply({ path: of, body: { body: { markdown: word } } });
      this.#forget((_one, old) => JSON.stringify(reply.body).includes(old));
      this.#note(word, { what: 'the text of a reply', kinds: ['comment-reply'], space });
    },
    async ({ space, word }) => {
      const { api, organization: organizationId } = this.#world;
      const { items } = await api.listCustomFields({ path: { organizationId } });
      const name = pick(
        this.#random,
        items.filter(({ type }) => type === 'text'),
      )?.name;
      if (name === undefined) return;
      await api.updateCustomFieldValues({ path: { spaceId: space }, body: { values: { [name]: { value: word } } } });
      const what = `the value of ${name}`;
      this.#forget((one) => one.what === what && one.space === space);
      this.#note(word, { what, kinds: ['custom-field-value'], space });
    },
    ({ word }) => this.#retitle(word),
    ({ word }) => this.#add(word),
  ];

  /** Some comment of a space, and where it is. */
  async #comment(
    spaceId: string,
  ): Promise<{ comment: Comment | undefined; path: { spaceId: string; commentId: string } }> {
    const { items } = await this.#world.api.listComments({ path: { spaceId } });
    const comment = pick(this.#random, items);
    return { comment, path: { spaceId, commentId: comment?.id ?? '' } };
  }

  /** Something of the organization gets another title. */
  async #retitle(word: string): Promise<void> {
    const { api, organization: organizationId } = this.#world;
    const path = { organizationId };
    const kinds = {
      collection: async () => (await api.listCollections({ path })).items,
      site: async () => (await api.listSites({ path })).items,
      team: async () => (await api.listTeams({ path })).items,
    };
    const kind = pick(this.#random, ['collection', 'site', 'team'] as const) ?? 'site';
    const all: readonly { readonly id: string }[] = await kinds[kind]();
    const id = pick(this.#random, all)?.id;
    if (id === undefined) return;
    const body = { title: word };
    if (kind === 'collection') await api.updateCollection({ path: { collectionId: id }, body });
    if (kind === 'site') await api.updateSite({ path: { ...path, siteId: id }, body });
    if (kind === 'team') await api.updateTeam({ path: { ...path, teamId: id }, body });
    this.#titled(word, kind, id);
  }

  /** Something new of the organization, or of one of its sites. */
  async #add(word: string): Promise<void> {
    const { api, organization: organizationId } = this.#world;
    const path = { organizationId };
    const site = pick(this.#random, (await api.listSites({ path })).items)?.id;
    const kind = pick(this.#random, ['collection', 'space', 'team', 'share-link', 'organization'] as const);
    const body = { title: word };
    if (kind === 'collection') await api.createCollection({ path, body });
    if (kind === 'space') {
      const above = pick(this.#random, (await api.listCollections({ path })).items)?.id;
      const { id } = await api.createSpace({ path, body: above === undefined ? body : { ...body, parent: above } });
      this.spaces.add(id);
    }
    if (kind === 'team') await api.createTeam({ path, body });
    if (kind === 'share-link') {
      if (site === undefined) return;
      await api.createShareLink({ path: { ...path, siteId: site }, body: { name: word } });
    }
    if (kind === 'organization') {
      const { emailDomains } = await api.getOrganization({ path });
      await api.updateOrganization({ path, body: { emailDomains: [...emailDomains, `${word}.example`] } });
    }
    const shown = kind === 'organization' ? word.toLowerCase() : word;
    if (kind !== undefined) this.#note(shown, { what: `something new: ${kind}`, kinds: [kind], space: site ?? '' });
  }

  #titled(word: string, kind: string, id: string): void {
    const what = `the title of a ${kind}`;
    this.#forget((one) => one.what === what && one.space === id);
    this.#note(word, { what, kinds: [kind], space: id });
  }

  async #rewrite({ space, page, word }: Omit<Place, 'pages'>): Promise<void> {
    if (page.type !== 'document') return;
    const { id, title } = page;
    await edit(this.#world, space, {
      type: 'update_page',
      page: id,
      title,
      document: { markdown: `# ${title}\n\n${word}.` },
    });
    this.#forget((one) => one.page === id && one.what === 'a text');
    this.#note(word, { what: 'a text', kinds: ['page'], space, page: id });
  }

  #note(word: string, written: Written): void {
    this.words.set(word, written);
  }

  #forget(isGone: (one: Written, word: string) => boolean): void {
    for (const [word, one] of this.words) if (isGone(one, word)) this.words.delete(word);
  }
}
