// Which work a step is, by kind and part.
import type { PlanStep, StepWork } from '../types.ts';
import { createCollection, createSpace, updateCollection, updateSpace } from './containers.ts';
import { importChangeRequest, importLinks, importSpace } from './content.ts';
import {
  createChangeRequest,
  createComment,
  createReply,
  setChangeRequestStatus,
  setCommentState,
} from './discussions.ts';

const works: Readonly<Record<string, StepWork>> = {
  'collection create': createCollection,
  'collection settings': updateCollection,
  'space create': createSpace,
  'space settings': updateSpace,
  'revision content': importSpace,
  'revision links': importLinks,
  'change-request create': createChangeRequest,
  'change-request-revision content': importChangeRequest,
  'change-request state': setChangeRequestStatus,
  'comment create': createComment,
  'comment state': setCommentState,
  'comment-reply create': createReply,
  'comment-reply state': setCommentState,
  'change-request-comment create': createComment,
  'change-request-comment state': setCommentState,
  'change-request-comment-reply create': createReply,
};

/** The work of a step; throws for a step that this program does not know, before anything is written. */
export function workOf(step: PlanStep): StepWork {
  const work = works[`${step.kind} ${step.part}`];
  if (!work) throw new Error(`step ${step.step}: no work for ${step.kind} ${step.part}`);
  return work;
}
