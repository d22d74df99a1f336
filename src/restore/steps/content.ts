// Content by import: the archive of a space is built, offered once, fetched by the platform, and what it made is mapped.
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ImportResult, Page, Revision } from '../../contract/index.ts';
import { spaceLayout, zipLayout, type SpaceLayout } from '../../export/index.ts';
import type { Resource } from '../../mirror/index.ts';
import type { ApplyContext, PlanStep, StepOutcome, StepWork } from '../types.ts';

interface Source {
  readonly space: string;
  readonly changeRequest?: string;
}

function layoutOf(context: ApplyContext, source: Source): SpaceLayout {
  return spaceLayout({ reader: context.reader, ...source, links: { page: linkTo(context), file: () => null } });
}

interface ImportJob {
  readonly source: Source;
  readonly into: { readonly space: string; readonly request?: string };
}

/** Builds the archive and lets the platform import it. */
async function importArchive(
  context: ApplyContext,
  step: PlanStep,
  { source, into }: ImportJob,
): Promise<ImportResult> {
  const folder = join(context.workDir, context.restore);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `step-${step.step}.zip`);
  try {
    await zipLayout(layoutOf(context, source), context.mirror.objects, file);
    const body = { url: context.server.offer(file, 'content.zip'), source: 'zip' as const };
    const options = { signal: context.signal };
    if (into.request === undefined)
      return await context.client.call('importContent', { path: { spaceId: into.space }, body }, options);
    const path = { spaceId: into.space, changeRequestId: into.request };
    return await context.client.call('importChangeRequestContent', { path, body }, options);
  } finally {
    await rm(file, { force: true });
  }
}

/** Links that lead out of the space, to what was restored elsewhere; those that are not known yet stay. */
function linkTo({ ids }: ApplyContext): (space: string | null, page: string) => string | null {
  return (space, page) => {
    const newSpace = space === null ? undefined : ids.byId('space', space);
    const newPage = ids.byId('page', page);
    return newSpace === undefined || newPage === undefined ? null : `/spaces/${newSpace}/pages/${newPage}`;
  };
}

function problemOf(result: ImportResult): { problem?: string } {
  if (result.importedResources >= result.totalResources) return {};
  return { problem: `the platform imported ${result.importedResources} of ${result.totalResources} resources` };
}

/** Original pages and files to the new ones, by path and by name. */
function mapContent(context: ApplyContext, source: Source, made: Revision): NonNullable<StepOutcome['map']> {
  const request = source.changeRequest;
  const within = request === undefined ? source.space : `${source.space}/${request}`;
  const layout = layoutOf(context, source);
  const pagesByPath = new Map(flatten(made.pages).map((page) => [placeOf(page), page.id]));
  const filesByName = new Map(made.files.map((file) => [file.name, file.id]));
  const pages: Record<string, string> = {};
  const files: Record<string, string> = {};
  for (const page of context.reader.resources(request === undefined ? 'page' : 'change-request-page', within)) {
    const id = pagesByPath.get(placeOf(page.body as unknown as Page));
    if (id !== undefined) pages[page.key] = id;
  }
  for (const file of context.reader.resources(request === undefined ? 'file' : 'change-request-file', within)) {
    const path = layout.filePath(file.id);
    const id = path === undefined ? undefined : filesByName.get(basename(path));
    if (id !== undefined) files[file.key] = id;
  }
  return request === undefined
    ? { page: pages, file: files }
    : { 'change-request-page': pages, 'change-request-file': files };
}

// Link pages have no path; their title and target tell them apart.
function placeOf(page: Page): string {
  return page.path ?? `${page.type} ${page.title} ${page.href ?? ''}`;
}

function flatten(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}

export const importSpace: StepWork = {
  write: async (context, step) => {
    const space = context.ids.need('space', step.key);
    const source = { space: step.key };
    if (context.plan.review) return importForReview(context, step, space);
    const result = await importArchive(context, step, { source, into: { space } });
    const made = await context.client.call('getRevision', { path: { spaceId: space } }, { signal: context.signal });
    return { newId: result.revision, map: mapContent(context, source, made), ...problemOf(result) };
  },
  find: async (context, step) => {
    if (context.plan.review) return null;
    // An import of the same archive changes nothing that is there: when in doubt it is simply sent again.
    const space = context.ids.need('space', step.key);
    const made = await context.client.call('getRevision', { path: { spaceId: space } }, { signal: context.signal });
    const pages = context.reader.count('page', step.key);
    if (flatten(made.pages).length < pages) return null;
    return { newId: made.id, map: mapContent(context, { space: step.key }, made) };
  },
};

async function importForReview(context: ApplyContext, step: PlanStep, space: string): Promise<StepOutcome> {
  const options = { signal: context.signal };
  const request = (await findReview(context, space)) ?? (await createReview(context, space));
  const result = await importArchive(context, step, { source: { space: step.key }, into: { space, request } });
  const path = { spaceId: space, changeRequestId: request };
  const made = await context.client.call('getChangeRequestRevision', { path }, options);
  return { newId: result.revision, map: mapContent(context, { space: step.key }, made), ...problemOf(result) };
}

async function createReview(context: ApplyContext, space: string): Promise<string> {
  const body = { subject: reviewSubject(context) };
  const options = { signal: context.signal };
  return (await context.client.call('createChangeRequest', { path: { spaceId: space }, body }, options)).id;
}

/** The change request that an earlier try has left behind: the space is new, so only the restore can have made it. */
async function findReview(context: ApplyContext, space: string): Promise<string | undefined> {
  const input = { path: { spaceId: space }, query: { status: 'draft' as const } };
  for await (const page of context.client.paginate('listChangeRequests', input, { signal: context.signal })) {
    const found = page.items.find((one) => one.subject === reviewSubject(context));
    if (found) return found.id;
  }
  return undefined;
}

function reviewSubject({ plan }: ApplyContext): string {
  return `Restore of snapshot ${plan.snapshot}`;
}

/** The same import once more, now that the pages of other spaces have their new ids; pages that stay the same are not touched. */
export const importLinks: StepWork = {
  write: async (context, step) => {
    const space = context.ids.need('space', step.key);
    const result = await importArchive(context, step, { source: { space: step.key }, into: { space } });
    return { newId: null, ...problemOf(result) };
  },
  find: () => Promise.resolve(null),
};

export const importChangeRequest: StepWork = {
  write: async (context, step) => {
    const request = changeRequestOf(context, step);
    const source = { space: request.params['spaceId'] ?? '', changeRequest: request.id };
    const path = {
      spaceId: context.ids.need('space', source.space),
      changeRequestId: context.ids.need('change-request', request.key),
    };
    const result = await importArchive(context, step, {
      source,
      into: { space: path.spaceId, request: path.changeRequestId },
    });
    const made = await context.client.call('getChangeRequestRevision', { path }, { signal: context.signal });
    return { newId: result.revision, map: mapContent(context, source, made), ...problemOf(result) };
  },
  find: () => Promise.resolve(null),
};

function changeRequestOf(context: ApplyContext, step: PlanStep): Resource {
  const found = context.reader.one('change-request', step.key);
  if (!found) throw new Error(`change-request ${step.key} is not in the snapshot`);
  return found;
}
