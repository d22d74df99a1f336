import { changeRequestHandlers } from './change-requests.ts';
import { collectionHandlers } from './collections.ts';
import { commentHandlers } from './comments.ts';
import { contentHandlers, contentLongHandlers } from './content.ts';
import { memberHandlers } from './members.ts';
import { organizationHandlers } from './organizations.ts';
import { spaceHandlers } from './spaces.ts';
import type { Handlers, LongHandlers } from './types.ts';

/** Every operation that answers at once. */
export const handlers: Handlers = {
  ...organizationHandlers,
  ...memberHandlers,
  ...collectionHandlers,
  ...spaceHandlers,
  ...contentHandlers,
  ...changeRequestHandlers,
  ...commentHandlers,
};

/** Every operation that waits for the network. */
export const longHandlers: LongHandlers = contentLongHandlers;
