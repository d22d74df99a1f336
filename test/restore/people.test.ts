// Who is who after a restore: by e-mail address, by a file, corrected later; and whom a restored comment calls.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/mirror/index.ts';
import { readPeopleFile } from '../../src/app/restoring/people-file.ts';
import { noteRemapped, planRemap, type PeopleChoice, type Plan } from '../../src/restore/index.ts';
import { planTree } from '../support/plan-tree.ts';
import { defuseMentions, mentions, withMentions } from '../../src/restore/special/mentions.ts';
import { organizedWorld } from '../support/furnished.ts';
import { invite, type Organized } from '../support/organization.ts';
import { createTarget, type Target } from '../support/restore.ts';
import type { TestWorld } from '../support/world.ts';

let world: TestWorld;
let made: Organized;

beforeAll(async () => {
  const organized = await organizedWorld();
  world = organized;
  ({ made } = organized);
  const path = { spaceId: made.spaces['Guide'] ?? '' };
  const { id } = await world.api.createComment({ path, body: { body: { markdown: 'See @robin, and `@code`' } } });
  await world.api.createCommentReply({ path: { ...path, commentId: id }, body: { body: { markdown: '@kim?' } } });
  await world.sync();
});

afterAll(() => world[Symbol.asyncDispose]());

async function rolesOf(target: Target): Promise<Record<string, string | null>> {
  const { items } = await target.client.api.listMembers({ path: { organizationId: target.organization } });
  return Object.fromEntries(items.map((member) => [member.user.displayName, member.role]));
}

async function remap(
  target: Target,
  restore: string,
  { plan, choice }: { plan: Plan; choice: PeopleChoice },
): Promise<Plan> {
  return planRemap({ ...target.settings, restore, plan, choice });
}

describe('restore/special/people', () => {
  it('takes a file before e-mail addresses, and has one person stand in teams for those who left', async () => {
    await using target = await createTarget(world);
    const there = invite(target, ['robin', 'noor', 'archive']);
    const choice = { entries: { 'KIM@example.com': 'noor@example.com' }, standIn: there['archive'] ?? '' };
    const plan = await target.plan({ people: choice });
    expect([plan.people[made.people['kim'] ?? ''], plan.standIn]).toEqual([there['noor'], there['archive']]);
    expect(plan.people, 'kim is noor, so noor is not').not.toHaveProperty(made.people['noor'] ?? '');
    expect(plan.preflight.find(({ check }) => check === 'people')?.detail).toContain('noor: ');
    expect((await target.apply(plan)).failures).toEqual([]);
    expect(await rolesOf(target)).toEqual({ Admin: 'admin', robin: 'edit', noor: 'comment', archive: null });
  });

  it('writes teams with the one who stands in, and gives them no role', async () => {
    await using target = await createTarget(world);
    const there = invite(target, ['robin', 'archive']);
    const plan = await target.plan({ people: { entries: {}, standIn: 'archive@example.com' } });
    const said = planTree(plan).find((line) => line.includes('team'));
    expect(said).toContain('1 of its 2 members: archive stands in for the others');
    expect(plan.preflight.find(({ check }) => check === 'people')?.detail).toContain('archive stands in for them');
    await target.apply(plan);
    const path = { organizationId: target.organization, userId: there['archive'] ?? '' };
    const { items } = await target.client.api.listMemberTeams({ path });
    expect(items.map(({ team }) => [team.title, team.members])).toEqual([['Writers', 2]]);
    expect((await rolesOf(target))['archive']).toBeNull();
  });

  it.each([
    ['nobody of the snapshot', { 'ghost@example.com': 'robin@example.com' }, 'no member of the snapshot'],
    ['nobody of the target', { 'robin@example.com': 'ghost@example.com' }, 'no member of the target'],
    ['one person twice', { 'kim@example.com': 'robin@example.com', 'noor@example.com': 'robin@example.com' }, 'twice'],
  ])('refuses a file that names %s', async (_what, entries, words) => {
    await using target = await createTarget(world);
    invite(target, ['robin']);
    const refused = expect(target.plan({ people: { entries, standIn: null } })).rejects;
    await refused.toMatchObject({ code: 'DM_USAGE', message: expect.stringContaining(words) as string });
    expect(target.writes()).toEqual([]);
  });

  it('reads YAML and JSON, and says what is wrong with anything else', () => {
    const file = join(world.folder(), 'people');
    const read = (text: string): PeopleChoice => {
      writeFileSync(file, text);
      return readPeopleFile(file);
    };
    expect(read('a@x.org: b@y.org\ndefault: c@y.org\n')).toEqual({
      entries: { 'a@x.org': 'b@y.org' },
      standIn: 'c@y.org',
    });
    expect(read('{"u1": "u2"}')).toEqual({ entries: { u1: 'u2' }, standIn: null });
    for (const text of ['', '- a', 'a: 1', 'a: b\na: c', 'a: {']) {
      expect(() => read(text), text).toThrow(expect.objectContaining({ code: 'DM_USAGE' }));
    }
    expect(() => readPeopleFile(join(world.folder(), 'none'))).toThrow(
      /people .*none cannot be used: there is no such/,
    );
  });

  it('gives a pipe up that nobody writes into: it waited without end, and no signal ended it', () => {
    const pipe = join(world.folder(), 'people-pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => readPeopleFile(pipe, 30)).toThrow(/cannot be used: The pipe .*people-pipe gave nothing more/);
  });
});

describe('restore/remap', () => {
  it('gives people who are known later their roles and sign-on, once, and names the teams that nothing changes', async () => {
    await using target = await createTarget(world);
    invite(target, ['robin']);
    const plan = await target.plan();
    const { restore } = await target.apply(plan);
    const { kim } = invite(target, ['kim']);
    target.platform.clearRequestLog();
    const choice = { entries: { [made.people['kim'] ?? '']: 'kim@example.com' }, standIn: null };
    const remapping = await remap(target, restore, { plan, choice });
    expect(target.writes()).toEqual([]);
    expect(planTree(remapping)).toEqual([
      '~ member kim  (role: none -> comment)',
      '~ member kim  (signs in by SAML)',
      '! team Writers  (add kim by hand: no operation changes who is in a team)',
    ]);
    expect((await target.apply(remapping)).failures).toEqual([]);
    noteRemapped(world.mirror, { restore, plan, people: remapping.people, by: null });
    const member = await target.client.api.getMember({
      path: { organizationId: target.organization, userId: kim ?? '' },
    });
    expect([member.role, member.sso]).toEqual(['comment', true]);
    expect(target.writes()).toHaveLength(2);
    expect(stepsOf(world.mirror, restore).filter(({ new_id: id }) => id === kim)).toHaveLength(1);
    expect(planTree(await remap(target, restore, { plan, choice })), 'a second run named nobody').toEqual([
      '! team Writers  (add kim by hand: no operation changes who is in a team)',
    ]);
    const { passed, notRestored } = await target.verify(restore);
    expect([passed, notRestored['member']]).toEqual([true, 1]);
  });

  it('says which role somebody loses to the one of the snapshot: the plan said that a role was set, and not that it allows less', async () => {
    await using target = await createTarget(world);
    const { other } = invite(target, ['robin', 'other']);
    const plan = await target.plan();
    const { restore } = await target.apply(plan);
    const path = { organizationId: target.organization, userId: other ?? '' };
    await target.client.api.updateMember({ path, body: { role: 'create' } });
    const choice = { entries: { [made.people['kim'] ?? '']: 'other@example.com' }, standIn: null };
    expect(planTree(await remap(target, restore, { plan, choice }))[0]).toMatch(
      /^~ member kim {2}\(role of \w+: create -> comment\)$/,
    );
  });

  it('names the teams for somebody who stands in for all others: it said that there was nothing to write', async () => {
    await using target = await createTarget(world);
    invite(target, ['robin']);
    const plan = await target.plan();
    const { restore } = await target.apply(plan);
    const { archive } = invite(target, ['archive']);
    const choice = { entries: {}, standIn: archive ?? '' };
    expect(planTree(await remap(target, restore, { plan, choice }))).toEqual([
      '! team Writers  (add archive (for 1 member who is not there) by hand: no operation changes who is in a team)',
    ]);
    const path = { organizationId: target.organization };
    const { items } = await target.client.api.listTeams({ path });
    for (const { id } of items) await target.client.api.deleteTeam({ path: { ...path, teamId: id } });
    expect((await remap(target, restore, { plan, choice })).steps, 'a team that went was named, too').toEqual([]);
  });

  it('names no team that the one who stands in was made a member of', async () => {
    await using target = await createTarget(world);
    const { archive } = invite(target, ['robin', 'archive']);
    const choice = { entries: {}, standIn: archive ?? '' };
    const plan = await target.plan({ people: choice });
    const { restore } = await target.apply(plan);
    expect((await remap(target, restore, { plan, choice })).steps).toEqual([]);
  });

  it('names no team for somebody who is in it: only those were asked about who stand in', async () => {
    await using target = await createTarget(world);
    const { archive } = invite(target, ['robin', 'archive']);
    const plan = await target.plan({ people: { entries: {}, standIn: archive ?? '' } });
    const { restore } = await target.apply(plan);
    const choice = { entries: { 'kim@example.com': 'archive@example.com' }, standIn: null };
    const kim = planTree(await remap(target, restore, { plan, choice }));
    expect(kim).toEqual(['~ member kim  (role of archive: none -> comment)', '~ member kim  (signs in by SAML)']);
  });

  it('takes nobody whom the plan said to be one person for another with the same address', async () => {
    await using target = await createTarget(world);
    const { other } = invite(target, ['other', 'kim']);
    const kim = made.people['kim'] ?? '';
    const plan = await target.plan({ people: { entries: { [kim]: 'other@example.com' }, standIn: null } });
    const { restore } = await target.apply(plan);
    invite(target, ['robin']);
    const entries = { 'robin@example.com': 'robin@example.com' };
    const remapping = await remap(target, restore, { plan, choice: { entries, standIn: null } });
    expect(remapping.people[kim]).toBe(other);
    expect(planTree(remapping).filter((line) => line.includes('member'))).toEqual([
      '~ member robin  (role: none -> edit)',
    ]);
  });
});

describe('restore/special/mentions', () => {
  it('are written so that they call nobody, unless asked for, and count as the same text', async () => {
    const textsOf = async (keepMentions: boolean): Promise<string[]> => {
      await using target = await createTarget(world);
      const plan = await target.plan({ keepMentions });
      expect(plan.preflight.find(({ check }) => check === 'comments')?.state).toBe(keepMentions ? 'warn' : 'ok');
      const { restore } = await target.apply(plan);
      const report = await target.verify(restore);
      expect(report.differences.filter(({ field }) => field === 'body')).toEqual([]);
      return await commentsOf(target);
    };
    const [defused, kept] = [await textsOf(false), await textsOf(true)];
    expect(defused.map((text) => text.split('\n').at(-1))).toEqual(['See @\u2060robin, and `@code`', '@\u2060kim?']);
    expect(kept.map((text) => text.split('\n').at(-1))).toEqual(['See @robin, and `@code`', '@kim?']);
  });

  it('are found at the beginning of words, outside of code, addresses and tags', () => {
    for (const text of ['@robin', 'so (@robin)', '**@robin**', 'a\n\n> @robin', '[@robin](/people/1)', '"@Ädne"'])
      expect([text, mentions(text)]).toEqual([text, true]);
    for (const text of [
      'robin@example.com',
      '`@robin`',
      '``a ` @robin``',
      '```ts\n@Injectable()\n```',
      '~~~\n@robin',
      'https://example.com/@robin',
      '{% @files/block %}',
      '@ home',
    ])
      expect([text, mentions(text)]).toEqual([text, false]);
    expect(defuseMentions('```\n@a\n```\n@b')).toBe('```\n@a\n```\n@\u2060b');
  });

  it('come back as they were, whatever the text', () => {
    const piece = fc.constantFrom('@', 'a', '`', '```', '\n', ' ', '.', '/', '{%', '%}', '~~~', 'é', '(');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const defused = defuseMentions(text);
        expect(withMentions(defused)).toBe(text);
        expect(defuseMentions(defused)).toBe(defused);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});

describe('restore/comments', () => {
  it('come last, can be left for a resume, and are not missed before', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan();
    const writes = plan.steps.filter(({ part }) => part !== 'none');
    expect(writes.slice(-2).map(({ kind }) => kind)).toEqual(['comment', 'comment-reply']);
    const applied = await target.apply(plan, { withoutComments: true });
    expect([applied.left, applied.failed, await commentsOf(target)]).toEqual([2, 0, []]);
    expect((await target.verify(applied.restore)).passed).toBe(true);
    expect((await target.resume(applied.restore)).left).toBe(0);
    expect(await commentsOf(target)).toHaveLength(2);
    const { passed, kinds } = await target.verify(applied.restore);
    expect([passed, kinds['comment']?.missing]).toEqual([true, 0]);
  });

  it('are not planned when they are to stay away', async () => {
    await using target = await createTarget(world);
    const plan = await target.plan({ withoutComments: true });
    expect(plan.steps.filter(({ kind }) => kind.includes('comment'))).toEqual([]);
    const { restore } = await target.apply(plan);
    expect((await target.verify(restore)).passed).toBe(true);
  });
});

/** Texts of the comments and replies in the guide. */
async function commentsOf({ client, organization, platform }: Target): Promise<string[]> {
  const path = { organizationId: organization, userId: platform.owner };
  const { items: spaces } = await client.api.listMemberSpaces({ path });
  const spaceId = spaces.find(({ space }) => space.title === 'Guide')?.space.id ?? '';
  const { items } = await client.api.listComments({ path: { spaceId } });
  const texts: string[] = [];
  for (const comment of items) {
    const { items: replies } = await client.api.listCommentReplies({ path: { spaceId, commentId: comment.id } });
    for (const { body } of [comment, ...replies]) texts.push('markdown' in body ? body.markdown : '');
  }
  return texts;
}
