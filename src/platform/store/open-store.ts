import { folded, openSqlite, type Random } from '../../base/index.ts';
import type { Db } from '../context.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Tables } from './tables.ts';

/** Opens the platform's database, `:memory:` or a path, at the newest schema. */
export function openStore(path: string): Db {
  const db = openSqlite<Tables>({ path, migrations: MIGRATIONS, name: "The platform's database" });
  // SQLite's own lower() knows only ASCII.
  db.driver.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? folded(text) : ''));
  return db;
}

const SECRET_BYTES = 32;

/** The key that signs download addresses, made once, so that addresses stay good over a restart. */
export function signingKey(db: Db, random: Random): Buffer {
  const name = 'signing-key';
  const stored = db.get(db.sql.selectFrom('settings').select('value').where('name', '=', name));
  if (stored) return Buffer.from(stored.value, 'hex');
  const key = random.bytes(SECRET_BYTES);
  db.run(db.sql.insertInto('settings').values({ name, value: key.toString('hex') }));
  return key;
}
