// The steps of a plan in their order: what belongs to the organization, containers, content, links, change requests, sites, settings,
// and last comments, which may send mail.
import { lazyBy, type Pieces } from '../../base/index.ts';
import { kindNames, kindOf } from '../../contract/index.ts';
import { AppAddresses } from '../../export/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { isDerived, reasonNotRestored } from '../ledger.ts';
import { isRestored } from '../restored-kinds.ts';
import { addCollections, addSpaces, addSpaceSettings, selectedSpaces } from './containers.ts';
import { addContent, addLinks, addNotImported, addValues } from './content.ts';
import { addChangeRequests, addTalk } from './discussions.ts';
import {
  addMembers,
  addOrganizationSettings,
  addOrganizationThings,
  addRetiredOptions,
  addSpecTexts,
} from './organization.ts';
import { includedContents } from '../special/included.ts';
import { addSites } from './sites.ts';
import { StepList, type Planning } from './step-list.ts';
import type { PlanStep } from '../types.ts';

type StepInput = Omit<Planning, 'list' | 'addresses'> & {
  /** The target is in use: its settings and roles are left alone. */
  readonly intoExisting: boolean;
  /** In place: spaces that come out of the bin, once their collections stand and before anything shows them. */
  readonly addUndeletes?: (planning: Planning) => void;
};

/** Every step for what is selected of a snapshot. The same snapshot and target give the same steps. */
export function* planSteps(
  { intoExisting, addUndeletes, ...input }: StepInput,
  list = new StepList(),
): Pieces<PlanStep[]> {
  const planning: Planning = { ...input, list, addresses: new AppAddresses(input.reader) };
  const { parts, scope } = input.selection;
  const spaces = selectedSpaces(planning);
  function* each(add: (planning: Planning, space: Resource) => Pieces<void> | void): Pieces<void> {
    for (const space of spaces) {
      const pieces = add(planning, space);
      if (pieces !== undefined) yield* pieces;
      yield;
    }
  }
  addOrganizationThings(planning);
  addCollections(planning);
  addUndeletes?.(planning);
  addSpaces(planning, spaces);
  if (parts.content) yield* each(addContent);
  if (parts.values) yield* each(addValues);
  // In place, values of spaces that stand are yet to be added.
  if (planning.live === null) addRetiredOptions(planning);
  if (parts.content) yield* each(addLinks);
  if (parts.content) yield* each(addNotImported);
  if (!input.review) yield* each(addChangeRequests);
  yield* each(addSpaceSettings);
  addSites(planning);
  addSpecTexts(planning);
  // Settings and roles of an organization in use change only when they are asked for by name.
  if (!intoExisting || scope.by === 'kind') {
    addOrganizationSettings(planning);
    addMembers(planning);
  }
  yield* each(input.review ? addLeftOut : addTalk);
  addUnsupported(planning);
  return planning.list.steps;
}

/** What people propose and say stands on pages that are not there before somebody has merged them. */
function addLeftOut({ list, reader, selection }: Planning, space: Resource): void {
  const { changeRequests, comments } = selection.parts;
  const kinds = [...(changeRequests ? (['change-request'] as const) : []), ...(comments ? (['comment'] as const) : [])];
  for (const kind of kinds)
    for (const one of reader.resources(kind, space.key))
      if (selection.limitOf(kind)?.has(one.key) !== false)
        list.addUnsupported(one, 'content that arrives for review comes without it');
}

function addUnsupported(planning: Planning): void {
  const { list, reader, selection } = planning;
  const included = lazyBy((space: string) => includedContents(reader, selection, space));
  const isIncluded = ({ kind, id, params: { spaceId = '' } }: Resource): boolean =>
    kind !== 'reusable-content' || included(spaceId).has(id);
  for (const kind of kindNames) {
    if (isRestored(kind) || isDerived(kind)) continue;
    const within = kindOf(kind).params[0] === 'organizationId' ? selection.organization : undefined;
    for (const resource of reader.resources(kind, within)) {
      if (!isWithin(planning, resource) || !isIncluded(resource)) continue;
      list.addUnsupported(resource, reasonNotRestored(kind));
    }
  }
}

/** True for what stands in a selected space or site, or in the organization when all of it was asked for. */
function isWithin({ selection }: Planning, { params }: Resource): boolean {
  const { spaceId, siteId, organizationId } = params;
  if (spaceId !== undefined && organizationId === undefined) return selection.has('space', spaceId);
  if (siteId !== undefined) return selection.has('site', `${selection.organization}/${siteId}`);
  return selection.whole;
}
