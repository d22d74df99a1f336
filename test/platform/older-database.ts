// A platform's database as an older program left it.
import type { Db } from '../../src/platform/context.ts';
import { openStore } from '../../src/platform/store/open-store.ts';

/** What takes a migration back, by its number. */
const UNDOING: Readonly<Record<number, string>> = {
  13: 'drop table blob_parts',
  12: 'drop trigger blobs_of_versions; drop trigger blobs_of_specs; drop trigger blobs_of_sources',
  11: 'drop index openapi_versions_by_hash; drop index openapi_specs_by_source',
  10: `drop trigger documents_of_spaces; drop trigger blobs_that_nobody_holds; drop table held_blobs;
    drop index documents_by_space; alter table documents drop column space`,
  9: 'drop index collections_in_collection; drop index spaces_in_collection',
  8: '',
};

/** Has all schemas after this one undone, and then does what else is to be different. */
export function asOfSchema(database: string, version: number, change: (db: Db) => void = () => undefined): void {
  using db = openStore(database);
  const newest = Number(db.driver.pragma('user_version', { simple: true }));
  for (let step = newest; step > version; step--) {
    const undo = UNDOING[step];
    if (undo === undefined) throw new Error(`nothing here undoes migration ${step}`);
    db.driver.exec(undo);
  }
  change(db);
  db.driver.pragma(`user_version = ${version}`);
}
