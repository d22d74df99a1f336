// The demo: real documentation that came with the installed packages, and a team at work on it.
import { createCaller } from '../caller.ts';
import type { Seeding } from '../import-archive.ts';
import { startSourceServer } from '../source-server.ts';
import type { SeedOptions, SeedResult } from '../target.ts';
import { addSpecs } from './api-specs.ts';
import { addChangeRequests, type DemoWork } from './change-requests.ts';
import { addComments } from './comments.ts';
import { makeContainers, type MadeSpace } from './containers.ts';
import { installedPackages } from './packages.ts';
import { addOrganizationThings } from './organization.ts';
import { addTeam } from './people.ts';
import { planDemo, plannedSpaces } from './plan.ts';
import { addSites } from './sites.ts';
import { addWelcome } from './welcome.ts';

const TITLE = 'Node.js Toolbox';
const PAGES_FROM_CUTTING = 175;

/**
 * Fills the platform's first organization through its API with the documentation of the packages that are installed: some hundred
 * pages in spaces in nested collections, members in teams, custom fields, comments, replies, reactions, change requests in every
 * state, an OpenAPI specification, and docs sites. The same packages give the same. Throws DM_HTTP_STATUS or DM_IMPORT_FAILED when the platform refuses
 * something.
 */
export async function seedDemo({ platform, onProgress, signal }: SeedOptions): Promise<SeedResult> {
  const organization = platform.organizations()[0] ?? (await platform.createOrganization({ title: TITLE }));
  await using caller = createCaller({ url: platform.url, token: platform.token, ...(signal ? { signal } : {}) });
  await using sources = await startSourceServer();
  const seeding: Seeding = { caller, sources, organization };
  await caller.call('updateOrganization', { path: { organizationId: organization }, body: { title: TITLE } });
  const team = await addTeam(platform, organization);
  const plan = planDemo(await installedPackages());
  const progress = { spaces: 0, totalSpaces: plannedSpaces(plan).length + 1, pages: 0 };
  const onSpace = (space: MadeSpace): void => {
    progress.spaces++;
    progress.pages += space.pages;
    onProgress?.({ ...progress });
  };
  const spaces = await makeContainers(seeding, plan, { budget: { left: PAGES_FROM_CUTTING }, onSpace });
  const work: DemoWork = { seeding, team, spaces };
  await addSpecs(platform, seeding);
  onSpace(await addWelcome(platform, work));
  await addChangeRequests(work);
  await addComments(work);
  await addSites(platform, work);
  await addOrganizationThings(platform, work);
  return { organizations: [organization], spaces: progress.spaces, pages: progress.pages };
}
