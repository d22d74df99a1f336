/** The database: its tables, its one writer, its readers. */
export {
  databasePath,
  demandWriter,
  durably,
  mirrorIdentity,
  openMirror,
  mirrorIfThere,
  mirrorState,
  readMirror,
  type Mirror,
  type MirrorOptions,
  type OpenSnapshot,
} from './database.ts';
export { holderOf, takeLease } from './lease.ts';
