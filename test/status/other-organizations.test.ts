// Spaces of an organization that the token does not show, such as one that it is a guest in.
import { describe, expect, it } from 'vitest';
import { createTestMirror } from '../support/mirror-builder.ts';
import { collection, takeSnapshot } from '../support/snapshots.ts';
import { visitor } from '../support/status-visitor.ts';

const spaceOf = (id: string, fields: Record<string, unknown>) => ({
  kind: 'space' as const,
  params: { spaceId: id },
  body: { object: 'space', id, title: `Space ${id}`, ...fields },
});

describe('status/browse, organizations that are not in the mirror', () => {
  it('leads to their collections and spaces all the same: the first page showed none of them, as if the mirror were empty', async () => {
    using test = await createTestMirror();
    takeSnapshot(test.mirror, (hand) => {
      hand.see(collection('c1', { title: 'Guides', organization: 'elsewhere' }));
      hand.see(spaceOf('s1', { organization: 'elsewhere', parent: 'c1' }));
      hand.see(spaceOf('s2', { organization: 'elsewhere' }));
      hand.see(spaceOf('s3', {}));
    });
    const { text } = await visitor(test)('/browse');
    expect(text).toMatch(
      /<h2>Organization elsewhere, which is not in this snapshot<\/h2>[^]*Guides[^]*spaces\/s1"[^]*spaces\/s2"[^]*<h2>Organization not known<\/h2>[^]*spaces\/s3"/,
    );
    expect(text.match(/\/browse\/spaces\/s\d/g)).toEqual(['1', '2', '3'].map((id) => `/browse/spaces/s${id}`));
  });
});
