import { Refusal } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import { userOfToken } from '../store/people.ts';
import type { UserRow } from '../store/tables.ts';

/** The user whose token the header bears; 401 when there is none. */
export function authenticate(context: PlatformContext, authorization: string | undefined): UserRow {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  const user = token === undefined ? undefined : userOfToken(context, token);
  if (!user) throw new Refusal(401, 'A valid access token is needed: Authorization: Bearer <token>');
  return user;
}
