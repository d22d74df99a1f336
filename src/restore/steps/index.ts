// Which work a step is, by kind and part.
import type { AnyOperationName, kinds } from '../../contract/index.ts';
import type { RestoredKind } from '../restored-kinds.ts';
import type { PlanStep, StepWork } from '../types.ts';
import { createCollection, updateCollection, updateSpace } from './containers.ts';
import { importChangeRequest, importLinks, importSpace, removeFromRequest } from './content/content.ts';
import {
  createChangeRequest,
  createComment,
  createReply,
  setChangeRequestStatus,
  setCommentState,
} from './discussions.ts';
import { beforeLaterSiblings } from './sites/before-later-siblings.ts';
import { intoGroup, outOfGroup } from './sites/section-group.ts';
import * as mend from './mend.ts';
import { undeleteSpace } from './undelete.ts';
import * as organization from './organization.ts';
import { emptiedFirst } from './content/first-pages.ts';
import { setNotImported } from './pages/not-imported.ts';
import { mendPages } from './pages/pages.ts';
import * as parts from './sites/site-parts.ts';
import * as sites from './sites/sites.ts';
import { createSpace } from './spaces.ts';
import { giveText } from './spec-address.ts';
import { transferBack } from './transfer.ts';

/** Each kind that comes back and that an operation makes is made by a step. */
type Making = {
  [K in RestoredKind]: (typeof kinds)[K] extends { readonly create: AnyOperationName } ? `${K} create` : never;
}[RestoredKind];

const works: Readonly<Record<Making, StepWork> & Record<string, StepWork>> = {
  'custom-field create': organization.createCustomField,
  'custom-field options': organization.retireOptions,
  'openapi-spec create': organization.createSpec,
  'openapi-spec settings': organization.setSpecText,
  'openapi-spec state': giveText,
  'translation-settings create': organization.createTranslation,
  'team create': organization.createTeam,
  'saml-provider create': organization.createSamlProvider,
  'organization settings': organization.setOrganization,
  'organization name': organization.setHostname,
  'organization defaults': organization.setDefaultContent,
  'member settings': organization.setMemberRole,
  'member state': organization.switchOnSso,
  'collection create': beforeLaterSiblings('collection', createCollection),
  'collection settings': updateCollection,
  'collection order': mend.putInOrder,
  'space order': mend.putInOrder,
  'space create': beforeLaterSiblings('space', createSpace),
  'space settings': emptiedFirst(updateSpace),
  'custom-field-value values': organization.setValues,
  'custom-field-value fields': mend.setValuesBack,
  'revision content': importSpace,
  'revision links': importLinks,
  'revision name': setNotImported,
  'change-request create': createChangeRequest,
  'change-request-revision content': importChangeRequest,
  'change-request-revision removals': removeFromRequest,
  'change-request state': setChangeRequestStatus,
  'comment create': createComment,
  'comment state': setCommentState,
  'comment-reply create': createReply,
  'comment-reply state': setCommentState,
  'change-request-comment create': createComment,
  'change-request-comment state': setCommentState,
  'change-request-comment-reply create': createReply,
  'site create': sites.createSite,
  'site settings': sites.setSite,
  'site defaults': sites.setSiteDefault,
  'site name': sites.setBasename,
  'site-adaptive-schema settings': sites.putSchema,
  'share-link create': sites.createShareLink,
  'share-link state': sites.switchOffShareLink,
  'site-section create': beforeLaterSiblings('site-section', parts.createSection),
  'site-section settings': parts.setSection,
  'site-section defaults': parts.setSectionDefault,
  'site-section order': parts.moveToEnd,
  'site-section state': intoGroup,
  'site-section place': outOfGroup,
  'site-section-group create': parts.createGroup,
  'site-section-group order': parts.moveToEnd,
  'site-space create': beforeLaterSiblings('site-space', parts.createPlace),
  'site-space order': parts.moveToEnd,
  'site-space settings': parts.setPlace,
};

/** In place, for every kind. */
const mends: Readonly<Record<string, StepWork>> = {
  fields: mend.setFields,
  place: mend.putBack,
  remove: mend.removeObject,
  undelete: undeleteSpace,
  transfer: transferBack,
  pages: mendPages,
};

/** The work of a step; throws for a step that this program does not know, before anything is written. */
export function workOf(step: PlanStep): StepWork {
  const work = works[`${step.kind} ${step.part}`] ?? mends[step.part];
  if (!work) throw new Error(`step ${step.step}: no work for ${step.kind} ${step.part}`);
  return work;
}
