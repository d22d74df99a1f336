/** Everything kept locally: snapshots, versions, tombstones, bytes, and the SQL views over them. */
export * from './bodies/index.ts';
export * from './check/index.ts';
export * from './database/index.ts';
export * from './observe/index.ts';
export * from './reading/index.ts';
export * from './restores/index.ts';
export * from './retention/index.ts';
export * from './snapshots/index.ts';
export * from './views/index.ts';
