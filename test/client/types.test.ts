import { describe, expectTypeOf, it } from 'vitest';
import type { ApiClient, CallInput } from '../../src/client/index.ts';
import type { Comment, Space } from '../../src/contract/index.ts';

type Api = ApiClient['api'];

describe('client/types', () => {
  it('requires path, query and body exactly where the operation needs them', () => {
    expectTypeOf<CallInput<'getSpace'>>().toHaveProperty('path').toEqualTypeOf<{ readonly spaceId: string }>();
    expectTypeOf<{ path: { spaceId: string } }>().toExtend<CallInput<'getSpace'>>();
    expectTypeOf<Record<never, never>>().not.toExtend<CallInput<'getSpace'>>();
    expectTypeOf<{ path: { spaceId: string } }>().not.toExtend<CallInput<'createComment'>>();
    expectTypeOf<{ path: { spaceId: string } }>().toExtend<CallInput<'createChangeRequest'>>();
    expectTypeOf<{ path: { spaceId: string }; query: { limit: number } }>().toExtend<CallInput<'listComments'>>();
    expectTypeOf<{ path: { spaceId: string }; query: { limit: 'x' } }>().not.toExtend<CallInput<'listComments'>>();
  });

  it('gives the documented answer and items', () => {
    expectTypeOf<Awaited<ReturnType<Api['getSpace']>>>().toEqualTypeOf<Space>();
    type Pages = ReturnType<typeof commentPages>;
    expectTypeOf<Pages extends AsyncIterable<infer P> ? P : never>().toEqualTypeOf<{
      items: Comment[];
      count?: number;
    }>();
  });
});

function commentPages(client: ApiClient) {
  return client.paginate('listComments', { path: { spaceId: 's' } });
}
