// What must be known of a target before anything is written to it.
import type { ApiClient } from '../client/index.ts';

// Who owns the token is not told by the API; spaces outside collections show through their members.
const MEMBERS_ASKED = 20;

/** True when an organization shows no collection and none of its members a space. Reads only. */
export async function isEmptyOrganization(
  client: ApiClient,
  organizationId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const options = { signal };
  const path = { organizationId };
  const collections = await client.call('listCollections', { path, query: { limit: 1 } }, options);
  if (collections.items.length > 0) return false;
  const members = await client.call('listMembers', { path, query: { limit: MEMBERS_ASKED } }, options);
  for (const member of members.items) {
    if (member.spaces === 0) continue;
    const spaces = await client.call(
      'listMemberSpaces',
      { path: { organizationId, userId: member.id }, query: { limit: 1 } },
      options,
    );
    if (spaces.items.length > 0) return false;
  }
  return true;
}
