// A change request that gives a file of its space other bytes, and changes no page.
import { expect, it } from 'vitest';
import { readerAt, type SnapshotReader } from '../../src/mirror/index.ts';
import { serveBytes, zipOf } from '../platform/world.ts';
import { addRequest } from '../support/content.ts';
import { furnishedWorld } from '../support/furnished.ts';
import { createTarget, observer } from '../support/restore.ts';

/** The hashes of the files called so, in spaces and in the change request of that subject. */
function hashesOf(reader: SnapshotReader, name: string, subject: string): [string[], string[]] {
  const hash = ({ object }: { object: { sha256: string } | null }): string => object?.sha256 ?? '';
  const [request] = [...reader.resources('change-request')].filter(({ body }) => body['subject'] === subject);
  const inSpaces = [...reader.resources('file')].filter(({ body }) => body['name'] === name);
  const proposed = [...reader.resources('change-request-file', request?.key)].filter(
    ({ body }) => body['name'] === name,
  );
  return [inSpaces.map(hash), proposed.map(hash)];
}

it('restore/apply brings back a file that a change request alone replaces: it came back as the space has it, and verify passed', async () => {
  await using world = await furnishedWorld();
  const { guide: spaceId } = world.made;
  const { id: changeRequestId } = await addRequest(world, spaceId, { subject: 'New notes' });
  // The page is as it stands; it shows the file.
  const page = '# Install\n\nGet the package, see the [notes](assets/notes.txt).\n';
  await using source = await serveBytes(await zipOf({ 'install.md': page, 'assets/notes.txt': 'Other notes.\n' }));
  await world.api.importChangeRequestContent({
    path: { spaceId, changeRequestId },
    body: { url: source.url, source: 'zip' },
  });
  const wanted = hashesOf(readerAt(world.mirror, (await world.sync()).snapshot.id), 'notes.txt', 'New notes');
  expect(wanted[1]).not.toEqual(wanted[0]);
  await using target = await createTarget(world);
  const plan = await target.plan();
  const notes = plan.steps.filter(({ kind, part }) => kind === 'change-request-revision' && part === 'content');
  expect(notes.map(({ note }) => note)).toContain('1 changed file by import');
  const { restore, failures } = await target.apply(plan);
  await target.platform.settle();
  expect([failures, await target.verify(restore)]).toMatchObject([[], { passed: true }]);
  await using view = await observer(world)(target.client, {
    organizations: [target.organization],
    invites: [],
    spaces: null,
  });
  expect(hashesOf(readerAt(view.mirror, view.snapshot), 'notes.txt', 'New notes')).toEqual(wanted);
});
