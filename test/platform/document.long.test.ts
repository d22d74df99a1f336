import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { documentNodes, markdownOfNodes, sectionsOf } from '../../src/document/index.ts';
import { at, createWorld, spaceWithPages } from './world.ts';

function expectRoundTrip(markdown: string): void {
  const nodes = documentNodes(markdown);
  expect(documentNodes(markdownOfNodes(nodes))).toEqual(nodes);
}

function typesIn(markdown: string): string[] {
  return documentNodes(markdown).map(({ type }) => type ?? '');
}

const EVERYTHING = `# Title

Intro *a **b** c* ~~gone~~ [link](</pages/a b> "T") ![x](/files/1) $$a^2$$ end\\
next & &amp; <b>raw</b> \\*no\\* _x_ a_b_c and \`code \`\` here\`.

{% hint style="info" icon="bolt" %}
* one
* two
  * three

\`\`\`md
{% endhint %}
\`\`\`
{% endhint %}

{% tabs %}
{% tab title="First" %}
text
{% endtab %}

{% tab title="Second" %}
- [ ] todo
- [x] done
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Step 1

do
{% endstep %}
{% endstepper %}

{% embed url="https://example.com/x" %}

{% embed url="https://example.com/y" %}
Caption
{% endembed %}

{% content-ref url="/pages/abc" %}
[Page](/pages/abc)
{% endcontent-ref %}

{% include "../includes/a.md" %}

{% code title="a.js" lineNumbers="true" %}
\`\`\`js
x
\`\`\`
{% endcode %}

<details>

<summary>More *here*</summary>

Body

</details>

$$
x = \\frac{1}{2}
$$

| a | b |
|:--|--:|
| \`x\\|y\` | z |

> quote
>
> - in

1. one
2. two

   para

3) other

![alone](/files/2)

---

<div>raw</div>
`;

const words = fc.array(
  fc.constantFrom('alpha', 'b_c', '1.', '*', '#', '`', '[x]', '<y>', '&amp;', '|', '\\', '- ', '$$', '{%'),
  {
    minLength: 1,
    maxLength: 6,
  },
);
const plain = words.map((parts) => parts.join(' '));
const line = fc.oneof(
  plain,
  plain.map((text) => `**${text}** then *more* ~~${text}~~`),
  plain.map((text) => `[${text}](/pages/a "t") ![i](/files/b) \`${text}\``),
);
const leaf = fc.oneof(
  line,
  line.map((text) => `## ${text}`),
  line.map((text) => `$$\n${text.replaceAll('$', '')}\n$$`),
  plain.map((text) => `\`\`\`js\n${text.replaceAll('`', '')}\n\`\`\``),
  line.map((text) => `| a | b |\n|---|:-:|\n| ${text.replaceAll('|', '')} | c |`),
  fc.constantFrom('---', '{% embed url="https://example.com" %}', '{% include "a.md" %}', '<div>x</div>', '![a](b)'),
);
const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
const { block } = fc.letrec<{ block: string }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n\n'));
  return {
    block: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'block' },
      leaf,
      blocks.map((inner) => `{% hint style="warning" %}\n${inner}\n{% endhint %}`),
      blocks.map((inner) => `{% tabs %}\n{% tab title="T" %}\n${inner}\n{% endtab %}\n{% endtabs %}`),
      blocks.map((inner) => `{% stepper %}\n{% step %}\n${inner}\n{% endstep %}\n{% endstepper %}`),
      blocks.map((inner) => `<details>\n\n<summary>S</summary>\n\n${inner}\n\n</details>`),
      blocks.map((inner) => `> ${indent(inner, '> ')}`),
      blocks.map((inner) => `- ${indent(inner, '  ')}\n- [x] done`),
      blocks.map((inner) => `3. ${indent(inner, '   ')}\n4. next`),
    ),
  };
});

function readmes(): string[] {
  const root = path.join(import.meta.dirname, '../../node_modules');
  return readdirSync(root)
    .filter((name) => !name.startsWith('.') && !name.startsWith('@'))
    .flatMap((name) => readdirSync(path.join(root, name)).map((file) => path.join(root, name, file)))
    .filter((file) => /readme\.md$/i.test(file))
    .map((file) => readFileSync(file, 'utf8'));
}

describe('platform/content/document', () => {
  it('gives every kind of block its own node', () => {
    expect(typesIn(EVERYTHING)).toEqual([
      'heading-1',
      'paragraph',
      'hint',
      'tabs',
      'stepper',
      'embed',
      'embed',
      'content-ref',
      'reusable-content',
      'tag',
      'expandable',
      'math',
      'table',
      'blockquote',
      'list-ordered',
      'list-ordered',
      'images',
      'divider',
      'html',
    ]);
    expectRoundTrip(EVERYTHING);
  });

  it('keeps attributes of tags, boxes of tasks, alignment of cells and the syntax of code', () => {
    expect(documentNodes('{% hint style="info" %}\nx\n{% endhint %}')).toMatchObject([
      { type: 'hint', data: { style: 'info' }, nodes: [{ type: 'paragraph' }] },
    ]);
    expect(documentNodes('- [x] a\n- b')).toMatchObject([
      { type: 'list-tasks', nodes: [{ data: { checked: true } }, { type: 'list-item' }] },
    ]);
    // Somebody's bold text, and no box.
    expectRoundTrip('- **[x]** a');
    expect(documentNodes('- **[x]** a')).toMatchObject([{ type: 'list-unordered' }]);
    expect(JSON.stringify(documentNodes('| a |\n|:-:|\n| b |'))).toContain('"align":"center"');
    expect(documentNodes('```ts file\nx\n```')).toMatchObject([
      { type: 'code', data: { syntax: 'ts', info: 'ts file' } },
    ]);
    expect(documentNodes('{% include "a.md" %}')).toMatchObject([{ type: 'reusable-content', data: { ref: 'a.md' } }]);
  });

  it('reads tags that nobody closes, and ends that nothing opened, without losing a word', () => {
    for (const text of ['{% hint %}\n\nopen', 'a\n\n{% endhint %}', '<details>\n\nx', '$$\nx', '{% a b=" %}']) {
      expectRoundTrip(text);
      expect(markdownOfNodes(documentNodes(text))).toContain(/[a-z]+/.exec(text)?.[0]);
    }
  });

  it('takes no line of a tag into a formula: the tag around it was written without its end', () => {
    const text = '{% tabs %}\n$$\n\n{% tabs %}\n$$\n{% endtabs %}\n{% endtabs %}';
    expect(typesIn(text)).toEqual(['tabs']);
    expectRoundTrip(text);
    expectRoundTrip('<details>\n\n<summary>S</summary>\n\n$$\n<details>\n$$\n\n</details>\n\n</details>');
    expectRoundTrip('{% hint %}\n$$\n{% hint %}\n$$\n{% endhint %}\n\n{% endhint %}');
  });

  it('writes what it read so that it reads the same again, for any document made of its blocks', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (parts) => expectRoundTrip(parts.join('\n\n'))),
      { numRuns: 300 },
    );
  });

  it('writes the documents of the installed packages so that they read the same again', () => {
    const texts = readmes();
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) expectRoundTrip(text);
  });

  it('shows a comment that was posted as a document as Markdown too', async () => {
    await using world = await createWorld();
    const { spaceId } = await spaceWithPages(world, {});
    const markdown = 'Two **bold** words\n\n- a\n- b';
    const document = { object: 'document', nodes: documentNodes(markdown) };
    const made = await world.call('createComment', { path: { spaceId }, body: { body: { document } } });
    const query = { format: 'markdown' };
    const shown = await world.call('getComment', { path: { spaceId, commentId: made.body.id }, query });
    expect(shown.body.body).toEqual({ markdown });
    const loose = {
      object: 'document',
      nodes: [{ text: 'only text' }, { type: 'new-thing', nodes: [{ text: 'inside' }] }],
    };
    const odd = await world.call('createComment', { path: { spaceId }, body: { body: { document: loose } } });
    const text = await world.call('getComment', { path: { spaceId, commentId: odd.body.id }, query });
    expect(text.body.body).toEqual({ markdown: 'only text\n\ninside' });
    const empty = { object: 'document', nodes: [] };
    const refused = await world.call('createComment', { path: { spaceId }, body: { body: { document: empty } } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('document');
  });

  it('writes what nodes say however odd it is: a mark named like a member of every object came out as source code, an attribute could end in a 500', () => {
    const marks = ['constructor', 'toString', '__proto__'].map((type) => ({ object: 'mark', type }));
    const cell = { type: 'table-cell', data: { align: 'constructor' }, nodes: [{ text: 'cell' }] };
    const nodes = [
      { type: 'paragraph', nodes: [{ object: 'text', leaves: [{ text: 'marked', marks }] }] },
      { type: 'table', nodes: [{ type: 'table-head', nodes: [{ type: 'table-row', nodes: [cell] }] }] },
      { type: 'tag', data: { name: 'x', attributes: { a: { toString: 1 }, b: 2 } } },
      {
        type: 'list-ordered',
        data: { start: { valueOf: 1 } },
        nodes: [{ type: 'list-item', nodes: [{ text: 'item' }] }],
      },
    ];
    expect(markdownOfNodes(nodes)).toBe(`marked\n\n| cell |\n| --- |\n\n{% x a='{"toString":1}' b="2" %}\n\n0. item`);
  });

  it('reads and writes a text of any size in one go: comments that nobody closes, and very many marked words, kept the platform for minutes', () => {
    const many = 200_000;
    const unclosed = '<!--'.repeat(many);
    expect(sectionsOf(`<b>bold</b>\n\n${unclosed}`).map(({ text }) => text)).toEqual([`bold\n${unclosed}`]);
    expect(sectionsOf('<div\n>a</div> < b')).toMatchObject([{ text: 'a  < b' }]);
    const leaves = Array.from({ length: many }, (_, i) => ({
      text: 'a',
      marks: i % 2 === 0 ? [{ type: 'bold' }] : [],
    }));
    const written = markdownOfNodes([{ type: 'paragraph', nodes: [{ object: 'text', leaves }] }]);
    expect(written).toBe('**a**a'.repeat(many / 2));
    const links = Array.from({ length: many }, () => ({ object: 'inline', type: 'link', nodes: [{ text: 'a!' }] }));
    expect(markdownOfNodes([{ type: 'paragraph', nodes: links }])).toBe('[a!](<>)'.repeat(many));
  });

  it('shows a page in both formats', async () => {
    await using world = await createWorld();
    const { spaceId, pages } = await spaceWithPages(world, { One: EVERYTHING.replace('# Title\n\n', '') });
    const path = { spaceId, pageId: pages['One'] ?? '' };
    const page = await world.call('getPage', { path, query: { format: 'document' } });
    expect(page.body.document?.nodes).toEqual(documentNodes(EVERYTHING).slice(1));
    expect(at(page.body.document?.nodes, 0)).toMatchObject({ type: 'paragraph' });
  });
});
