// Who goes on with an answer takes fields out of it: what is not as promised is said at once, and a write may have been done.
import { describe, expect, it } from 'vitest';
import { clientFor, startServer } from './support.ts';

describe('client/call, answered with something else', () => {
  it.each([
    ['null', 'null; expected a JSON object'],
    ['[]', 'a list; expected a JSON object'],
    ['"done"', 'a text; expected a JSON object'],
    ['{}', 'an object without an id; expected the id of what was made, which it may have been'],
    ['{"id":""}', 'an object whose id is an empty text; expected the id of what was made, which it may have been'],
    ['{"id":7}', 'an object whose id is a number; expected the id of what was made, which it may have been'],
  ])('does not take %s for the space that was made', async (body, seen) => {
    await using server = await startServer((_request, response) => void response.writeHead(201).end(body));
    await using client = clientFor(server);
    const making = client.call('createSpace', { path: { organizationId: 'o' }, body: { title: 'One' } });
    await expect(making).rejects.toMatchObject({ code: 'DM_BAD_RESPONSE', sent: true, retryable: false });
    await expect(making).rejects.toThrow(`answered 201 with ${seen}`);
    expect(server.seen).toHaveLength(1);
  });

  it('does not ask for an id where nothing is made, nor for an object where a list is due', async () => {
    await using server = await startServer(({ method }, response) => {
      response.writeHead(200).end(method === 'GET' ? '[]' : '{}');
    });
    await using client = clientFor(server);
    const path = { spaceId: 's' };
    expect(await client.call('updateSpace', { path, body: { title: 'One' } })).toEqual({});
    expect(await client.call('getCustomFieldValues', { path })).toEqual([]);
    await expect(client.call('getSpace', { path })).rejects.toThrow('answered 200 with a list; expected a JSON object');
  });
});
