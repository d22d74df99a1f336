/** What restores have done, step by step. */
export {
  beginRestore,
  endRestore,
  noteDetail,
  lastDrillOfNewest,
  lastPassedDrill,
  listDrills,
  listRestores,
  noteStep,
  recordDrill,
  restoreById,
  restoreOfPlan,
  setRestoreReport,
  stepsOf,
  type Drill,
  type RestoreEnd,
  type RestoreRecord,
  type RestoreStep,
} from './journal.ts';
export { openRestores, type OpenRestore } from './open-restores.ts';
export { drillFile, dropRehearsals, halfUndone, isDrill, undoesOf, undoFile, undone } from './restore-roles.ts';
export { presentPlace, RESTORES_FOLDER } from './present-place.ts';
