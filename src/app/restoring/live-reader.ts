import { isRecord } from '../../base/index.ts';
import { ApiError } from '../../client/index.ts';
import { requirePlatform } from '../../config/index.ts';
import { kindOf, operationOf, pathParameters } from '../../contract/index.ts';
import type { ReadLive } from '../../mirror/index.ts';
import type { Kit } from '../kit.ts';

/** Asks the configured platform for one resource at a time. Throws DM_CONFIG_MISSING when none is configured, and what it reads throws DM_TOKEN_REFUSED. */
export async function liveReader(kit: Kit, signal: AbortSignal): Promise<ReadLive> {
  const client = await kit.clientOf(requirePlatform(kit.config));
  return async ({ kind, params }) => {
    const { get } = kindOf(kind);
    if (get === undefined) return { is: 'unread', why: 'the API has no operation that reads it alone' };
    const { path, query } = operationOf(get);
    const input = {
      path: Object.fromEntries(pathParameters(path).map((name) => [name, params[name] ?? ''])),
      query: Object.hasOwn(query?.properties ?? {}, 'format') ? { format: 'markdown' } : {},
    };
    try {
      const answer = await client.callRaw(get, input, { signal });
      return isRecord(answer) ? { is: 'there', body: answer } : { is: 'unread', why: 'the answer is not an object' };
    } catch (error) {
      // That says nothing of what is stored.
      if (!(error instanceof ApiError) || error.code === 'DM_TOKEN_REFUSED') throw error;
      if (error.code === 'DM_NOT_FOUND') return { is: 'gone' };
      return { is: 'unread', why: error.message };
    }
  };
}
