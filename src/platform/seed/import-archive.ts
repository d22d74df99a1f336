import { AppError } from '../../base/index.ts';
import type { ApiCaller } from './caller.ts';
import type { SourceServer } from './source-server.ts';

/** Where a seed stands while it fills a platform. */
export interface Seeding {
  caller: ApiCaller;
  sources: SourceServer;
  organization: string;
}

/** Imports a ZIP into a space through the API; throws DM_IMPORT_FAILED when the platform took over less than all of it. */
export async function importArchive(seeding: Seeding, space: string, archive: Buffer): Promise<void> {
  const { caller, sources } = seeding;
  const url = sources.offer(`${space}.zip`, archive);
  try {
    const { importedResources, totalResources } = await caller.call('importContent', {
      path: { spaceId: space },
      body: { url, source: 'zip' },
    });
    if (importedResources !== totalResources) throw incomplete(space, importedResources, totalResources);
  } finally {
    sources.withdraw(`${space}.zip`);
  }
}

function incomplete(space: string, imported: number, total: number): AppError {
  return new AppError('DM_IMPORT_FAILED', `Space ${space} got ${imported} of ${total} resources from the seed`, {
    hint: 'This is a fault in the seed; report it.',
    details: { space, imported, total },
  });
}
