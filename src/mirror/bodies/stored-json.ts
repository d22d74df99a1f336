import { AppError, readableJson } from '../../base/index.ts';

/** JSON as it was stored; throws DM_DATABASE_DAMAGED, with the name of what it is of, when it is none any more. */
export function storedJson(data: string, which: () => string): Record<string, unknown> {
  const stored = readableJson(data);
  if (stored !== undefined) return stored;
  throw new AppError('DM_DATABASE_DAMAGED', `What is stored of ${which()} is damaged: expected JSON`, {
    hint: 'Run docmirror sync --full, which reads it again while the platform has it; of what only earlier snapshots show, put back a copy of the data directory.',
  });
}

/** SQL for a value in stored JSON; null where that is none any more, for which SQLite would end the statement. */
export function jsonSql(json: string, path: string): string {
  return jsonAtSql(json, `'${path}'`);
}

/** The same with an SQL expression for the path. */
export function jsonAtSql(json: string, path: string): string {
  return `iif(json_valid(${json}), json_extract(${json}, ${path}), null)`;
}
