// Organizations with their collections and spaces.
import { html } from 'hono/html';
import { depthFirst, groupBy } from '../../base/index.ts';
import type { Outlined } from '../../mirror/index.ts';
import { section, type Html } from '../pages/layout.ts';
import { spacePath } from './addresses.ts';
import { MOST_LEVELS } from './page-tree.ts';
import { text } from './render-links.ts';
import { shell } from './shell.ts';
import { emojiOf, titleOf } from './title-of.ts';
import type { Visit } from './visit.ts';

interface Below extends Pick<Visit, 'named' | 'query'> {
  readonly collections: readonly Outlined[];
  readonly spaces: readonly Outlined[];
  /** Both by the collection that they stand in. */
  readonly collectionsIn: ReadonlyMap<unknown, readonly Outlined[]>;
  readonly spacesIn: ReadonlyMap<unknown, readonly Outlined[]>;
}

export function homeView(visit: Visit): Html {
  const held = (kind: 'organization' | 'collection' | 'space'): Outlined[] =>
    [...visit.reader.outline(kind)].filter(({ holds }) => holds);
  // As their listing showed them; those without a place keep the order of their keys.
  const collections = held('collection').toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const spaces = held('space');
  const parentOf = ({ body: { parent } }: Outlined): unknown => parent;
  const inside = { collectionsIn: groupBy(collections, parentOf), spacesIn: groupBy(spaces, parentOf) };
  const below = { collections, spaces, ...inside, query: visit.query, named: visit.named };
  const organizations = held('organization');
  const body = html`${organizations.map((organization) => organizationView(organization, below))}
  ${elsewhereViews(organizations, below)} ${damagedView(below)} ${changesForm(visit)}`;
  return shell(visit, { title: 'Mirror', crumbs: [], body });
}

/** A token may show a space, and not the organization that it is of. */
function elsewhereViews(organizations: readonly Outlined[], below: Below): Html[] {
  const known = new Set(organizations.map(({ id }) => id));
  const named = [...below.collections, ...below.spaces].filter(({ isDamaged }) => isDamaged !== true);
  const others = [...new Set(named.map(organizationOf))].filter((id) => !known.has(id));
  return others.map((id) => {
    const title = id === '' ? 'Organization not known' : `Organization ${id}, which is not in this snapshot`;
    return organizationView({ id, body: { title } }, below);
  });
}

function organizationOf({ body }: Outlined): string {
  return text(body['organization']);
}

function organizationView({ id, body }: Pick<Outlined, 'id' | 'body'>, below: Below): Html {
  const spaces = below.spaces.filter((space) => organizationOf(space) === id);
  const ids = new Set(below.collections.map((one) => one.id));
  const isRoot = ({ body: { parent } }: Outlined): boolean => typeof parent !== 'string' || !ids.has(parent);
  const collections = below.collections.filter((one) => organizationOf(one) === id);
  const roots = collections.filter(isRoot);
  // No root leads to what stands within itself, or in such a one: those are shown one by one.
  const reached = new Set(depthFirst(roots, (one) => below.collectionsIn.get(one.id) ?? []));
  const looped = collections.filter((one) => !reached.has(one));
  const oneByOne: Below = { ...below, collectionsIn: new Map() };
  return section(
    titleOf({ id, body }),
    html`<ul class="tree">
      ${roots.map((collection) => collectionView(collection, below))}
      ${looped.map((collection) => collectionView(collection, oneByOne))} ${spaceList(spaces.filter(isRoot), below)}
    </ul>`,
  );
}

/** Which organization they are of can no longer be told. */
function damagedView({ collections, spaces, query, named }: Below): Html | string {
  const damaged = [...collections, ...spaces].filter(({ isDamaged }) => isDamaged === true);
  if (damaged.length === 0) return '';
  return section(
    'Damaged',
    html`<p>What is stored of these is damaged. ${named('Run docmirror check --read-data, which tells what to do.')}</p>
      <ul>
        ${damaged.map(({ kind, id }) =>
          kind === 'space' ? html`<li><a href="${spacePath(id, query)}">${id}</a></li>` : html`<li>${kind} ${id}</li>`,
        )}
      </ul>`,
  );
}

/** What stands deeper than so many levels is shown on the last of them, one after the other. */
function collectionView({ id, body }: Outlined, below: Below, level = 1): Html {
  // It ends: each stands in one other, so that nothing leads from a root to those that hold each other.
  const inside = (one: Pick<Outlined, 'id'>): readonly Outlined[] => below.collectionsIn.get(one.id) ?? [];
  const collections =
    level < MOST_LEVELS ? inside({ id }) : level === MOST_LEVELS ? depthFirst(inside({ id }), inside) : [];
  return html`<li>
    <details open>
      <summary>${titleOf({ id, body })}</summary>
      <ul>
        ${collections.map((one) => collectionView(one, below, level + 1))}
        ${spaceList(below.spacesIn.get(id) ?? [], below)}
      </ul>
    </details>
  </li>`;
}

function spaceList(spaces: readonly Outlined[], { query }: Below): Html[] {
  return spaces
    .toSorted((a, b) => text(a.body['title']).localeCompare(text(b.body['title'])))
    .map(({ id, body }) => {
      const mark = emojiOf(body);
      return html`<li>${mark} <a href="${spacePath(id, query)}">${titleOf({ id, body })}</a></li>`;
    });
}

function changesForm({ sealed, snapshot }: Visit): Html | string {
  if (sealed.length < 2) return '';
  const before = sealed.find(({ id }) => id < snapshot.id)?.id ?? snapshot.id;
  return section(
    'What changed',
    html`<form action="/browse/changes" class="row">
      <label>from snapshot <input name="from" inputmode="numeric" size="6" value="${before}" /></label>
      <label>to <input name="to" inputmode="numeric" size="6" value="${snapshot.id}" /></label>
      <button>Compare</button>
    </form>`,
  );
}
