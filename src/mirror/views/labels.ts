// What people call a resource, as SQL.
import { NAMED_AT, kindNames, kindOf, type KindName } from '../../contract/index.ts';
import type { BodySql } from '../bodies/stored-text.ts';
import { wordsSql } from '../database/words-sql.ts';

/** What a label is made of. */
export interface LabelSource {
  readonly bodies: BodySql;
  /** Columns of the JSON, plain and by its number. */
  readonly body: readonly [plain: string, bid: string];
  /** An expression for the id. */
  readonly id: string;
  /** The last snapshot whose names count. */
  readonly until: string | number;
}

type Names = Pick<LabelSource, 'bodies' | 'until'>;

/** SQL for what people call a resource by its own fields; a text whatever its values are. */
export function labelSql(source: LabelSource): string {
  const named = NAMED_AT.map((path) => fieldSql(source, path));
  const words = fieldSql(source, 'body.markdown');
  const begun = `substr(${words}, 1, ${WORDS}) || iif(length(${words}) > ${WORDS}, '…', '')`;
  return `cast(coalesce(${named.join(', ')}, ${begun}, ${leadsSql(source)}, ${source.id}) as text)`;
}

/** Characters of a comment that stand for it. */
const WORDS = 60;

/** What is empty is no name, as of a page whose title somebody took away. */
function fieldSql({ bodies, body: [plain, bid] }: Pick<LabelSource, 'bodies' | 'body'>, path: string): string {
  return `nullif(trim(${bodies.field(plain, bid, `'$.${path}'`)}), '')`;
}

/** Where a link leads, and from which page; null for all else. */
function leadsSql(source: LabelSource): string {
  const names = ['page.title', 'file.name', 'url', 'reusableContent.title', 'openAPISpec.slug', 'user.displayName'];
  const targets = names.map((path) => fieldSql(source, `targetReference.${path}`));
  // Of a page that is not in the same revision, or is gone, it has the id alone.
  const page = fieldSql(source, 'targetReference.page.id');
  const containers = ['space', 'collection'].map((kind) => {
    const id = fieldSql(source, `targetReference.${kind}.id`);
    return `coalesce(${lastSql(source, 'title', `l.kind = '${kind}' and l.key = ${id}`)}, ${id})`;
  });
  // Every space may have a page of that title.
  const title = lastSql(source, 'title', `l.kind = 'page' and l.id = ${page}`);
  const elsewhere = `${title} || coalesce(' in ' || ${containers[0]}, '')`;
  const ids = ['file', 'reusableContent', 'user'].map((kind) => fieldSql(source, `targetReference.${kind}.id`));
  // A link to a space that is gone, or hidden from the token, names not even the id of it.
  const some = `'some ' || replace(${fieldSql(source, 'targetReference.kind')}, '-', ' ')`;
  const from = `coalesce(', on ' || ${fieldSql(source, 'locationReferences[0].page.title')}, '')`;
  return `'to ' || coalesce(${[...targets, elsewhere, ...containers, page, ...ids, some].join(', ')}) || ${from}`;
}

/** A field of another resource `l`, as it was last; null where the mirror does not hold that. */
function lastSql({ bodies, until }: Names, path: string, which: string): string {
  return `(select ${fieldSql({ bodies, body: ['lb.data', 'lv.body'] }, path)} from resources l
    join versions lv on lv.rid = l.rid left join bodies lb on lb.bid = lv.body
    where ${which} and lv.valid_from <= ${until} order by lv.valid_from desc limit 1)`;
}

/**
 * The label of a row of `resources r`. What has no name of its own is called by what it is part of or stands between: the pages of a
 * space, the document of a page, a member in a space or a team, the value of a field in a space, a version of a specification. All
 * else is called what `own` gives. Names count up to `until`.
 */
export function namedLabelSql(own: string, names: Names): string {
  const member = lastSql(names, 'user.displayName', `l.rid = r.scope`);
  const between = MEMBERSHIPS.map(([kind, of, key]) => {
    const container = lastSql(names, 'title', `l.kind = '${of}' and l.key = ${key}`);
    return `when '${kind}' then coalesce(${member}, r.key) || ' in ' || coalesce(${container}, r.id)`;
  });
  // Of the same field every space may have a value.
  const space = lastSql(names, 'title', `l.kind = 'space' and l.key = r.space`);
  between.push(`when '${VALUE}' then r.id || ' in ' || coalesce(${space}, r.space)`);
  between.push(...VERSIONS.map((kind) => `when '${kind}' then r.id || ' of ' || ${SLUG}`));
  const rest = `iif(r.kind in (${wordsSql(Object.keys(PARTS))}), ${partSql(names)}, ${own})`;
  return `case r.kind ${between.join(' ')} else ${rest} end`;
}

/** Kinds that say what one is in, the kind of that, and its key. */
const MEMBERSHIPS = [
  ['space-member', 'space', 'r.id'],
  ['team-membership', 'team', `substr(r.key, 1, instr(r.key, '/')) || r.id`],
] as const satisfies readonly (readonly [KindName, KindName, string])[];

const VALUE = 'custom-field-value' satisfies KindName;
const VERSIONS = ['openapi-spec-version', 'openapi-spec-content'] as const satisfies readonly KindName[];
/** Of a key `organization/slug/version`. */
const SLUG = `substr(r.key, instr(r.key, '/') + 1, length(r.key) - instr(r.key, '/') - length(r.id) - 1)`;

/** The one part of each kind that its owner has, without an id of its own, and how it is called. */
const PARTS = {
  revision: 'pages',
  'change-request-revision': 'pages',
  'page-document': 'document',
  'change-request-page-document': 'document',
} as const satisfies Partial<Record<KindName, string>>;

/** One name for the owners of all kinds: the words for it are many, and every opening of the mirror reads them. */
function partSql(names: Names): string {
  const owner = labelSql({ ...names, body: ['ob.data', 'ov.body'], id: 'r.id' });
  const named = `select ${owner} from resources o join versions ov on ov.rid = o.rid left join bodies ob on ob.bid = ov.body
    where o.key = r.key and o.kind = ${byPart((kind) => ownerOf(kind))} and ov.valid_from <= ${names.until} order by ov.valid_from desc limit 1`;
  return `${byPart((kind) => PARTS[kind])} || ' of "' || coalesce((${named}), r.id) || '"'`;
}

function byPart(word: (kind: keyof typeof PARTS) => string): string {
  const cases = kindNames.flatMap((kind) => (isPart(kind) ? [`when '${kind}' then '${word(kind)}'`] : []));
  return `case r.kind ${cases.join(' ')} end`;
}

function isPart(kind: KindName): kind is keyof typeof PARTS {
  return kind in PARTS;
}

/** The nearest kind above that has the same key and a name. */
function ownerOf(kind: KindName): KindName {
  const { params } = kindOf(kind);
  return kindNames.find((name) => kindOf(name).id !== null && kindOf(name).params.join() === params.join()) ?? kind;
}
