// Whether what a request failed of is of it alone: another one tells.
import { ApiError } from './api-error.ts';
import type { ApiClient } from './client.ts';

// Where the token may not list organizations, or the platform does not, it answers and takes the token.
const ANSWERS: ReadonlySet<number | null> = new Set([402, 403, 404, 405, 501]);

/** Throws where the platform answers another request no more than the one that failed, or takes the token there no more. */
export async function demandAnswer(client: Pick<ApiClient, 'callRaw'>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.callRaw('listOrganizations', { query: { limit: 1 } }, { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || !ANSWERS.has(error.status)) throw error;
  }
}
