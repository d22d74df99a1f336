import { changeRequestHandlers, changeRequestLongHandlers } from './change-requests.ts';
import { collectionHandlers } from './collections.ts';
import { commentHandlers } from './comments.ts';
import { contentHandlers, contentLongHandlers } from './content.ts';
import { customFieldHandlers } from './custom-fields.ts';
import { inviteHandlers } from './invites.ts';
import { linkHandlers } from './links.ts';
import { memberHandlers } from './members.ts';
import { openApiHandlers } from './openapi.ts';
import { organizationHandlers } from './organizations.ts';
import { pdfLongHandlers } from './pdf.ts';
import { samlHandlers } from './saml.ts';
import { searchHandlers } from './search.ts';
import { shareLinkHandlers } from './share-links.ts';
import { siteAdaptiveSchemaHandlers } from './site-adaptive-schema.ts';
import { siteSectionGroupHandlers } from './site-section-groups.ts';
import { siteSectionHandlers } from './site-sections.ts';
import { siteSpaceHandlers } from './site-spaces.ts';
import { siteHandlers } from './sites.ts';
import { spaceHandlers } from './spaces.ts';
import { teamHandlers } from './teams.ts';
import { translationHandlers } from './translations.ts';
import type { AnyOperationName } from '../../contract/index.ts';
import type { Handler } from './types.ts';

/** Every operation that waits for the network. */
export const longHandlers = { ...changeRequestLongHandlers, ...contentLongHandlers, ...pdfLongHandlers };

type AtOnce = Exclude<AnyOperationName, keyof typeof longHandlers>;

/** Every other operation: it answers at once. */
export const handlers: { readonly [N in AtOnce]: Handler<N> } = {
  ...organizationHandlers,
  ...memberHandlers,
  ...teamHandlers,
  ...inviteHandlers,
  ...samlHandlers,
  ...customFieldHandlers,
  ...translationHandlers,
  ...openApiHandlers,
  ...collectionHandlers,
  ...spaceHandlers,
  ...siteHandlers,
  ...siteAdaptiveSchemaHandlers,
  ...siteSectionHandlers,
  ...siteSectionGroupHandlers,
  ...siteSpaceHandlers,
  ...shareLinkHandlers,
  ...contentHandlers,
  ...linkHandlers,
  ...searchHandlers,
  ...changeRequestHandlers,
  ...commentHandlers,
};
