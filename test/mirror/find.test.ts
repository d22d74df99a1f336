import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { erasOf, findText } from '../../src/mirror/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const SPACES = [
  {
    id: 's',
    title: 'Space',
    pages: [
      { id: 'a', title: 'Installing', text: 'Run the installer on the machine.' },
      { id: 'b', title: 'Other', text: 'Nothing about installing "here" NEAR there.' },
      { id: 'g', title: 'Installing group', type: 'group' },
    ],
    comments: [{ id: 'k', markdown: 'please mend the installer' }],
  },
];

describe('mirror/reading/find', () => {
  it('finds pages in which every word stands, those first that name them in their titles', async () => {
    using test = await createTestMirror();
    await test.add({ spaces: SPACES });
    const found = (text: string): string[] =>
      atOnce(findText(test.mirror, { text, among: 'pages', limit: 10 })).map(({ id }) => id);
    expect(found('installing').toSorted()).toEqual(['a', 'b', 'g']);
    expect(found('installing').at(-1)).toBe('b');
    expect(found('run mach')).toEqual(['a']);
    expect(found('mach run')).toEqual([]);
    expect(atOnce(findText(test.mirror, { text: 'machine', among: 'pages', limit: 1 }))[0]?.excerpt).toContain(
      '\u0001machine\u0002',
    );
    expect(atOnce(findText(test.mirror, { text: 'mend', among: 'comments', limit: 1 }))[0]).toMatchObject({
      kind: 'comment',
      id: 'k',
      space: 's',
    });
  });

  it('finds what stands in the middle of Chinese, Japanese or Thai text: only the beginnings of its pieces were found', async () => {
    using test = await createTestMirror();
    const pages = [
      { id: 'zh', title: '安装指南', text: 'Docker 环境下请先安装运行时，然后启动服务。' },
      { id: 'ja', title: 'はじめに', text: 'このページではAPIキーと設定方法を説明します。' },
      { id: 'th', title: 'คู่มือ', text: 'วิธีติดตั้งโปรแกรมบนเครื่อง' },
    ];
    await test.add({
      spaces: [{ id: 's', title: 'Space', pages, comments: [{ id: 'k', markdown: '请修改安装说明' }] }],
    });
    await test.add({ spaces: [{ id: 's', title: 'Space', pages: pages.slice(0, 2) }] });
    const found = (text: string): string[] =>
      atOnce(findText(test.mirror, { text, among: 'pages', limit: 10 })).map(({ id }) => id);
    expect(['运行时', '指南', '設定方法', 'docker 启动', 'dock', '启动 dock', 'apiキー', 'APIキー'].map(found)).toEqual(
      [['zh'], ['zh'], ['ja'], ['zh'], ['zh'], ['zh'], ['ja'], ['ja']],
    );
    // Not in the last snapshot any more; not in this text; not a beginning, since it is not the last word.
    expect(['ติดตั้ง', 'docker 停止', 'dock 启动'].map(found)).toEqual([[], [], []]);
    expect(atOnce(findText(test.mirror, { text: '运行时', among: 'pages', limit: 1 }))[0]?.excerpt).toContain(
      '环境下请先安装\u0001运行时\u0002，然后启动服务。',
    );
  });

  it('looks through texts in pieces, between which others are answered, and as far as it has to: the status page was silent for seconds', async () => {
    using test = await createTestMirror();
    const pages = Array.from({ length: 1300 }, (_, n) => ({
      id: `p${n}`,
      title: `${n}`,
      text: `先安装运行时${n} word`,
    }));
    await test.add({ spaces: [{ id: 's', title: 'Space', pages: [...pages, { id: 'last', title: '运行时' }] }] });
    const looked = (text: string): { pieces: number; ids: string[] } => {
      const search = findText(test.mirror, { text, among: 'pages', limit: 2 });
      for (let pieces = 0; ; pieces++) {
        const piece = search.next();
        if (piece.done === true) return { pieces, ids: piece.value.map(({ id }) => id) };
      }
    };
    expect(looked('运行时')).toEqual({ pieces: 3, ids: ['last', 'p0'] });
    // An excerpt that is cut from a text is a piece too.
    expect(looked('运行时1299 word')).toEqual({ pieces: 3 + 1, ids: ['p1299'] });
    expect(looked('运行时 word')).toMatchObject({ pieces: 1 + 2 });
    expect(looked('word')).toMatchObject({ pieces: 2 });
  });

  it.each(['"', 'a" OR "b', 'title:x', 'NEAR(a b)', '-', '*', '(', "'; drop table pages; --", ''])(
    'takes no word for an operator: %s',
    async (text) => {
      using test = await createTestMirror();
      await test.add({ spaces: SPACES });
      expect(atOnce(findText(test.mirror, { text, among: 'pages', limit: 10 }))).toBeInstanceOf(Array);
    },
  );
});

describe('mirror/reading/history', () => {
  it('tells since when each version of a page holds, newest first, and that it was away', async () => {
    using test = await createTestMirror();
    const world = (text: string | null): Parameters<typeof test.add>[0] => ({
      spaces: [{ id: 's', title: 'S', pages: text === null ? [] : [{ id: 'a', title: 'A', text }] }],
    });
    for (const text of ['one', 'one', 'two', null, 'two']) await test.add(world(text));
    expect(erasOf(test.mirror, 'page', 's/a').map(({ from, to }) => [from, to])).toEqual([
      [5, null],
      [3, 4],
      [1, 3],
    ]);
    expect(erasOf(test.mirror, 'page', 's/unknown')).toEqual([]);
  });
});
