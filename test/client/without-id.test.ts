// Who goes on with an answer takes fields out of it: what is not as promised is said at once, and a write may have been done.
import { describe, expect, it } from 'vitest';
import { operationNames, operationOf, reliedOn, type OperationName } from '../../src/contract/index.ts';
import { clientFor, startServer } from './support.ts';

describe('client/call, answered with something else', () => {
  it.each([
    ['null', 'null; expected a JSON object'],
    ['[]', 'a list; expected a JSON object'],
    ['"done"', 'a text; expected a JSON object'],
    ['{}', 'an object without id; expected the id of what was made, since it may have been made'],
    ['{"id":""}', 'an object whose id is an empty text; expected the id of what was made, since it may have been made'],
    ['{"id":7}', 'an object whose id is the number 7; expected the id of what was made, since it may have been made'],
  ])('does not take %s for the space that was made', async (body, seen) => {
    await using server = await startServer((_request, response) => void response.writeHead(201).end(body));
    await using client = clientFor(server);
    const making = client.call('createSpace', { path: { organizationId: 'o' }, body: { title: 'One' } });
    await expect(making).rejects.toMatchObject({ code: 'DM_BAD_RESPONSE', sent: true, retryable: false });
    await expect(making).rejects.toThrow(`answered 201 with ${seen}`);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['updateSpace', '{}', 'an object without id; expected the id of what was written, since it may not have been'],
    ['moveSpace', '{"id":null}', 'an object whose id is null; expected the id of what was written'],
    ['restoreSpace', '{"ok":true}', 'an object without id; expected the id of what was written'],
    ['updateMember', '{}', 'an object without id; expected the id of what was written'],
    ['mergeChangeRequest', '{}', 'an object without result; expected the result of what was written'],
    [
      'mergeChangeRequest',
      '{"revision":"r","result":""}',
      'an object whose result is an empty text; expected the result',
    ],
  ] as const)('does not take for done what says nothing of it: %s, %s', async (operation, body, seen) => {
    await using server = await startServer((_request, response) => void response.writeHead(200).end(body));
    await using client = clientFor(server);
    const writing = client.callRaw(operation, { path: pathOf(operation), body: {} });
    await expect(writing).rejects.toMatchObject({ code: 'DM_BAD_RESPONSE', sent: true, retryable: false });
    await expect(writing).rejects.toThrow(`answered 200 with ${seen}`);
    expect(server.seen).toHaveLength(1);
  });

  it('takes a result of another name, and an import without its counts, which whoever asked looks through', async () => {
    const bodies = ['{"revision":"r","result":"rebased"}', '{}'];
    await using server = await startServer((_request, response) => void response.writeHead(200).end(bodies.shift()));
    await using client = clientFor(server);
    const path = { spaceId: 's', changeRequestId: 'c' };
    expect(await client.call('mergeChangeRequest', { path })).toMatchObject({ result: 'rebased' });
    const body = { url: 'http://127.0.0.1:9/a.zip', source: 'zip' } as const;
    expect(await client.call('importContent', { path, body })).toEqual({});
  });
});

describe('client/call, a read that is answered without what everybody relies on', () => {
  it.each([
    ['getSpace', '[]', 'a list; expected a JSON object'],
    ['getSpace', '{}', 'an object without id; expected the id of each space'],
    ['getSpace', '{"id":null}', 'an object whose id is null; expected the id of each space'],
    ['getOpenApiSpec', '{"id":"s"}', 'an object without slug; expected the slug of each openapi-spec'],
    ['listMembers', '{}', 'an object without items; expected a list'],
    ['listMembers', '{"items":{}}', 'an object whose items is an object; expected a list'],
    ['listMembers', '{"items":[{"id":"a"},null]}', 'an item (2 of 2) that is null; expected a JSON object'],
    ['listMembers', '{"items":[{"id":"a"},{}]}', 'an item (2 of 2) without id; expected the id of each member'],
    [
      'listMemberSpaces',
      '{"items":[{}]}',
      'an item (1 of 1) without space.id; expected the space.id of each space-member',
    ],
    ['listCollectionSpaces', '{"items":[{}]}', 'an item (1 of 1) without id; expected the id of each space'],
    ['getRevision', '{"id":"r","files":[],"reusableContents":[]}', 'an object without pages; expected a list'],
    ['getRevision', '{"pages":[],"files":[]}', 'an object without id; expected the id of each revision'],
    [
      'getChangeRequestRevision',
      '{"id":"r","pages":[],"files":null}',
      'an object whose files is null; expected a list',
    ],
    ['getCustomFieldValues', '{}', 'an object; expected a list'],
    [
      'getCustomFieldValues',
      '[{}]',
      'an item (1 of 1) without customField.name; expected the customField.name of each',
    ],
  ] as const)('names the operation, the field and what was seen: %s, %s', async (operation, body, seen) => {
    await using server = await startServer((_request, response) => void response.writeHead(200).end(body));
    await using client = clientFor(server);
    const reading = client.callRaw(operation, { path: pathOf(operation) });
    await expect(reading).rejects.toMatchObject({ code: 'DM_BAD_RESPONSE', operation, retryable: false });
    await expect(reading).rejects.toThrow(`(${operation}) answered 200 with ${seen}`);
    expect(server.seen).toHaveLength(1);
  });

  it.each(['{}', '[{}]'])('takes %s for no thing that has an id, whatever was asked for', async (body) => {
    await using server = await startServer((_request, response) => void response.writeHead(200).end(body));
    await using client = clientFor(server);
    const taken: string[] = [];
    for (const name of operationNames.filter((one) => typeof reliedOn(one)?.id === 'string'))
      await client.callRaw(name, { path: pathOf(name) }).then(
        () => taken.push(name),
        () => undefined,
      );
    expect(taken).toEqual([]);
  });

  it('takes links, which have no id, no values of custom fields, and a revision of before there were reusable contents, as they are', async () => {
    await using server = await startServer(({ url }, response) => {
      const revision = '{"id":"r","pages":[],"files":[]}';
      const other = url.endsWith('/links') ? '{"items":[{"status":"ok"}]}' : '[]';
      response.writeHead(200).end(url.includes('/content') ? revision : other);
    });
    await using client = clientFor(server);
    const path = { spaceId: 's' };
    expect(await client.callRaw('getRevision', { path })).toEqual({ id: 'r', pages: [], files: [] });
    expect(await client.call('listSpaceLinks', { path })).toEqual({ items: [{ status: 'ok' }] });
    expect(await client.call('getCustomFieldValues', { path })).toEqual([]);
  });
});

function pathOf(operation: OperationName): Record<string, string> {
  return Object.fromEntries(
    [...operationOf(operation).path.matchAll(/\{(\w+)\}/g)].map((found) => [found[1] ?? '', 'x']),
  );
}
