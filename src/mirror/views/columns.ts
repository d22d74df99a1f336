// Columns of the SQL views, generated from the schemas of the contract.
import type { TSchema } from 'typebox';
import {
  fieldsOf,
  isArrayField,
  isObject,
  isUserField,
  KEPT_APART,
  kindNames,
  kindOf,
  ownParameter,
  parameterWord,
  viewKinds,
  type KindName,
} from '../../contract/index.ts';
import { fieldNote } from './column-notes.ts';
import { hashSql } from '../bodies/body-hash.ts';
import { jsonSql } from '../bodies/stored-json.ts';
import type { BodySql } from '../bodies/stored-text.ts';

const textColumns: readonly Column[] = [
  {
    name: 'markdown',
    sql: ({ text }) => text('t.data', 'v.text'),
    note: 'text as Markdown; of a page that has a document and could never be read, nothing',
  },
  {
    name: 'markdown_bytes',
    // What was superseded has no size of its own: it is told by the text, where that can be read. Not by `t.data`, which is null then:
    // whoever groups by anything would have SQLite sort all texts along.
    sql: ({ text }) => `coalesce(t.size, length(cast(${text('null', 'v.text')} as blob)))`,
    note: 'bytes of the text; once superseded, null in other tools than docmirror query',
  },
  { name: 'markdown_hash', sql: () => `nullif(hex(${hashSql('v.text')}), '')`, note: 'equal for equal texts' },
];

/** Time of the first kept snapshot that has `r`. */
export const FIRST_SEEN = `(select s.started_at from versions f join snapshots s on s.id = f.valid_from where f.rid = r.rid order by f.valid_from limit 1)`;

const firstSeen: Column = {
  name: 'first_seen_at',
  sql: () => FIRST_SEEN,
  note: 'time of the first kept snapshot that has it',
};

const orderColumn: Column = {
  name: 'position',
  sql: () => 'v.position',
  note: 'place among its siblings as their listing showed it, from 0; null where none did',
};

/** One column of a view: its name, its SQL and what it means. */
export interface Column {
  readonly name: string;
  readonly sql: (bodies: BodySql) => string;
  readonly note: string;
}

export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Columns of a view, those of the union of its kinds; `raw` last. */
export function columnsOf(view: string): Column[] {
  const names = viewKinds().get(view) ?? [];
  const columns = new Map<string, Column>();
  // What one of the kinds stands below is known by where it was read: the answer itself need not repeat it.
  const containers = new Map(names.flatMap(parameterColumns).map((column) => [column.name, column]));
  // Of a column that several have, the first decides: an id of the platform where there is any.
  for (const name of names.toSorted((a, b) => Number(kindOf(a).id === null) - Number(kindOf(b).id === null))) {
    for (const column of kindColumns(name))
      if (!columns.has(column.name)) columns.set(column.name, containers.get(column.name) ?? column);
  }
  columns.set(firstSeen.name, firstSeen);
  columns.set('raw', {
    name: 'raw',
    sql: ({ text }) => text('b.data', 'v.body'),
    note: 'the JSON as the platform sent it; in it, what is a row of its own in another view stands as its object and id',
  });
  return [...columns.values()];
}

function kindColumns(name: KindName): Column[] {
  const kind = kindOf(name);
  const fields = fieldsOf(name);
  const own = ownId(name, fields);
  const columns = [own, ...parameterColumns(name)];
  if (kind.text) columns.push(...textColumns);
  if (kind.read.from === 'part') columns.push(...placeColumns(kind.read.nested !== undefined));
  if (kind.move !== undefined) columns.push(orderColumn);
  if (kind.bytes)
    columns.push({
      name: 'sha256',
      sql: () => 'v.object',
      note: 'hash of the bytes; their place is objects/<first two>/<rest>',
    });
  if (kind.text) columns.push(...columnsApart(columns));
  const taken = new Set<string>(['id', 'object', ...columns.map((column) => column.name)]);
  for (const [field, schema] of fields) {
    if (taken.has(field)) columns.push(...hiddenFields(name, field, schema));
    if (taken.has(field) || taken.has(snakeCase(field))) continue;
    const embedded = kind.embeds?.[field];
    const plain = kind.refs?.[field] === undefined ? json : idIn;
    if (embedded !== undefined && isArrayField(schema)) columns.push(listed(name, field, embedded as KindName));
    else if (embedded === undefined)
      columns.push(plain(snakeCase(field), `$.${field}`, fieldNote(name, field, schema)));
    else columns.push(idIn(snakeCase(field), `$.${field}.id`, `id of its ${embedded}`));
    if (isUserField(schema)) {
      columns.push(idIn(`${snakeCase(field)}_id`, `$.${field}.id`, `id of ${field}`));
      columns.push(json(`${snakeCase(field)}_name`, `$.${field}.displayName`, `display name of ${field}`));
    }
  }
  return [...columns, ...extraColumns(name, new Set(columns.map((column) => column.name)))];
}

/** The interface promises a column for each field: of these it says where to look. */
function columnsApart(columns: readonly Column[]): Column[] {
  const there = new Set(columns.map(({ name }) => name));
  return Object.entries(KEPT_APART)
    .filter(([field]) => !there.has(field))
    .map(([name, where]) => ({ name, sql: () => 'null', note: `always null: ${where}` }));
}

/** Others that it embeds: references to rows of another view; what is read from nowhere else is not kept here as well. */
function listed(name: KindName, field: string, embedded: KindName): Column {
  const { view, read, parent } = kindOf(embedded);
  const isApart = read.from === 'part' && parent === name;
  return isApart
    ? { name: snakeCase(field), sql: () => 'null', note: `always null: each is a row of ${view}` }
    : json(snakeCase(field), `$.${field}`, `references as JSON; each is a row of ${view}`);
}

/** Taken from a column, not from the JSON, so that a join by it finds an index: the key is the id where nothing else is in it. */
function ownId(name: KindName, fields: ReadonlyMap<string, unknown>): Column {
  const { id, params } = kindOf(name);
  if (id === 'id')
    return { name: 'id', sql: () => (params.length === 1 ? 'r.key' : 'r.id'), note: 'id on the platform' };
  if (fields.has('id')) return idIn('id', '$.id', 'id on the platform');
  return { name: 'id', sql: () => 'r.key', note: 'identifying path' };
}

/** What is in a field whose name the column of a container has: a membership is of a member, and holds what that is in the team. */
function hiddenFields(name: KindName, field: string, schema: TSchema): Column[] {
  const { params, embeds } = kindOf(name);
  const isHidden = params.some((parameter) => parameterWord(parameter) === field) && embeds?.[field] === undefined;
  if (!isHidden || !isObject(schema) || !isObject(schema['properties'])) return [];
  return Object.entries(schema['properties']).map(([inner, one]) =>
    json(snakeCase(`${field}_${inner}`), `$.${field}.${inner}`, fieldNote(name, `${field}.${inner}`, one)),
  );
}

function json(name: string, path: string, note: string): Column {
  return { name, sql: ({ field }) => field('b.data', 'v.body', `'${path}'`), note };
}

/** An id that other views are joined by. */
function idIn(name: string, path: string, note: string): Column {
  const column = json(name, path, note);
  return { ...column, sql: (bodies) => asId(column.sql(bodies)) };
}

/**
 * What is computed has no type, and by that SQLite makes no index of its own where a view is the right side of a left join: it went
 * through all of it for each row of the left one.
 */
function asId(sql: string): string {
  return `cast(${sql} as text)`;
}

/** Containers of the resource, from the path that identifies it. */
function parameterColumns(name: KindName): Column[] {
  const kind = kindOf(name);
  const plainId = kind.id !== null && !kind.id.includes('.');
  const params = plainId ? kind.params.slice(0, -1) : kind.params;
  return params.map((parameter) => ({
    name: snakeCase(parameterWord(parameter)),
    sql: () => parameterSql(parameter, kind.view),
    note: `${identifierOf(parameter)} of its ${parameterWord(parameter)}`,
  }));
}

/** The field by which a path parameter names a resource: a specification by its slug, a custom field by its name. */
function identifierOf(parameter: string): string {
  const owner = kindNames.find((name) => ownParameter(name) === parameter && /^\w+$/.test(kindOf(name).id ?? ''));
  return (owner && kindOf(owner).id) ?? 'id';
}

/** From a column of its own where there is one, for all kinds of the view: JSON has to be read for each row. */
function parameterSql(parameter: string, view: string): string {
  if (parameter === 'spaceId') return 'r.space';
  const paths = (viewKinds().get(view) ?? []).map((name) => kindOf(name).params);
  const isLast = paths.every((params) => !params.includes(parameter) || params.at(-1) === parameter);
  return isLast ? 'r.id' : asId(parameterJson(parameter));
}

/** A path parameter as the JSON of a resource has it. */
export function parameterJson(parameter: string): string {
  return jsonSql('r.params', `$.${parameter}`);
}

function placeColumns(nested: boolean): Column[] {
  if (!nested) return [];
  return [
    {
      name: 'parent',
      sql: () => 'above.id',
      note: 'id of the parent page; null at the root',
    },
    { name: 'position', sql: () => 'v.position', note: 'place among its siblings, from 0' },
  ];
}

/** References inside nested fields, and the text of a comment, as columns of their own. */
function extraColumns(name: KindName, taken: ReadonlySet<string>): Column[] {
  const extra = Object.entries(kindOf(name).refs ?? {})
    .filter(([path]) => path.includes('.'))
    .map(([path, kind]) => idIn(snakeCase(kind), `$.${path}`, `id of the ${kind} in ${path}`));
  if (fieldsOf(name).has('body')) extra.push(json('markdown', '$.body.markdown', 'text as Markdown'));
  return extra.filter((column) => !taken.has(column.name));
}
