// The answer of each read: most are listings or single resources of a kind; what is put together stands in the table below.
import { isRecord, type Pieces } from '../base/index.ts';
import {
  invalid,
  isComment,
  kindNames,
  kindOf,
  notFound,
  operationOf,
  Refusal,
  type KindName,
  type OperationName,
} from '../contract/index.ts';
import { keyOf, type Resource } from '../mirror/index.ts';
import { documentOf, fileAt, filesAt, pageAt, pagesAt, placeOf, revisionAt, type Place } from './content.ts';
import { backlinksOf, linksOf } from './links.ts';
import { List } from './list.ts';
import { isListed, listOf, type Ask } from './lists.ts';
import { requestBacklinks, requestPageLinks } from './request-links.ts';
import { searchOrganization, searchSpace } from './search.ts';
import { show, type Body } from './show.ts';
import { withoutMetadata } from './stored-content.ts';
import { demandTold, listed, need, told, type View } from './view.ts';

/** The body of the answer, or the list that it is a page of. Throws a Refusal. */
export function* found(view: View, asked: Ask): Pieces<unknown> {
  const ask = { ...asked, path: withRequestId(view, asked.path) };
  const long = LONG[ask.operation];
  if (long) return yield* long(view, ask);
  const special = SPECIAL[ask.operation];
  if (special) return special(view, ask);
  const { paged } = operationOf(ask.operation);
  if (paged === true && isListed(ask.operation)) return listAnswer(view, ask);
  const kind = kindNames.find((name) => kindOf(name).get === ask.operation);
  if (kind === undefined) throw new Refusal(501, `${ask.operation} is not answered from the mirror`);
  return shown(view, need(view, kind, keyOf(kind, ask.path)), ask);
}

const NUMBER = /^\d{1,9}$/;

/** A change request is named by its id, or by its number in the space. */
function withRequestId(view: View, path: Ask['path']): Ask['path'] {
  const { spaceId = '', changeRequestId } = path;
  if (changeRequestId === undefined || !NUMBER.test(changeRequestId)) return path;
  if (view.reader.one('change-request', `${spaceId}/${changeRequestId}`)) return path;
  for (const { id, body } of view.reader.resources('change-request', spaceId))
    if (body['number'] === Number(changeRequestId)) return { ...path, changeRequestId: id };
  return path;
}

function listAnswer(view: View, ask: Ask): List {
  const resources = listOf(view, ask);
  return new List(resources.length, (index) => {
    const resource = resources[index];
    return resource && shown(view, resource, ask);
  });
}

/** Texts of comments were read as Markdown; as a document they are made from it. */
function shown(view: View, resource: Resource, { query }: Ask): Body {
  const body = show(view, resource);
  if (!isComment(resource.kind) || query['format'] !== 'document') return body;
  const text = isRecord(body['body']) ? body['body']['markdown'] : undefined;
  return typeof text === 'string' ? { ...body, body: { document: documentOf(text) } } : body;
}

type Special = (view: View, ask: Ask) => unknown;

/** The content that is meant, in the way that the query asks for. */
function askedPlace(view: View, { path, query }: Ask): Place {
  return { ...placeOf(view, path), isStored: query['computed'] === false };
}

function asAsked({ query }: Ask, content: Body): Body {
  return query['metadata'] === false ? withoutMetadata(content) : content;
}

const content: Special = (view, ask) => asAsked(ask, revisionAt(view, askedPlace(view, ask)));
const pages: Special = (view, ask) => asAsked(ask, { pages: pagesAt(view, askedPlace(view, ask)) });
const files: Special = (view, ask) => List.of(filesAt(view, placeOf(view, ask.path)).map((one) => asAsked(ask, one)));
const file: Special = (view, ask) => asAsked(ask, fileAt(view, placeOf(view, ask.path), ask.path['fileId'] ?? ''));
const page: Special = (view, ask) => {
  const { path, query } = ask;
  const asked = { id: path['pageId'] ?? '', format: query['format'] === 'markdown' ? 'markdown' : 'document' } as const;
  return asAsked(ask, pageAt(view, askedPlace(view, ask), asked));
};

const links: Special = (view, { path, query }) => {
  const { pageId } = path;
  const asked = { space: path['spaceId'] ?? '', status: query['status'] };
  return linksOf(view, pageId === undefined ? asked : { ...asked, page: pageId });
};

/** The newest version of a specification. */
function latest(view: View, path: Ask['path']): Resource {
  const [version] = listOf(view, { operation: 'listOpenApiSpecVersions', path, query: {} });
  if (!version) throw notFound('OpenAPI version', 'latest');
  return version;
}

const SPECIAL: Readonly<Partial<Record<OperationName, Special>>> = {
  getRevision: content,
  getChangeRequestRevision: content,
  listPages: pages,
  listChangeRequestPages: pages,
  listFiles: files,
  listChangeRequestFiles: files,
  getFile: file,
  getChangeRequestFile: file,
  getPage: page,
  getChangeRequestPage: page,
  listSpaceLinks: links,
  listPageLinks: links,
  listFileBacklinks: (view, { path }) =>
    List.of(backlinksOf(view, { space: path['spaceId'] ?? '', file: path['fileId'] ?? '' })),
  getChangeRequestPdf: pdfOf,
  getCustomFieldValues: (view, { path }) => {
    const { spaceId = '' } = path;
    const { organization } = need(view, 'space', spaceId).body;
    const fields = listed(view, 'custom-field', typeof organization === 'string' ? organization : undefined);
    const order = new Map(fields.map(({ id }, i) => [id, i]));
    const values = [...view.reader.resources('custom-field-value', spaceId)];
    return told(view, { kind: 'custom-field-value', within: spaceId }, values)
      .toSorted((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size))
      .map((value) => show(view, value));
  },
  getLatestOpenApiSpecVersion: (view, { path }) => show(view, latest(view, path)),
  getLatestOpenApiSpecVersionContent: (view, { path }) =>
    show(view, need(view, 'openapi-spec-content', latest(view, path).key)),
  listSsoProviders: (view, ask) => ({ items: ssoProviders(view, ask) }),
  listEmailDomainOrganizations: (view, { path }) => ({
    organizations: organizationsOf(view, path['emailDomain'] ?? ''),
  }),
};

/** They look through every text. */
const LONG: Partial<Record<OperationName, (view: View, ask: Ask) => Pieces<List>>> = {
  listChangeRequestPageLinks: (view, { path }) => requestPageLinks(view, placeOf(view, path), path['pageId'] ?? ''),
  listChangeRequestFileBacklinks: (view, { path }) => requestBacklinks(view, placeOf(view, path), path['fileId'] ?? ''),
  searchSpace: (view, { path, query }) => searchSpace(view, path['spaceId'] ?? '', String(query['query'])),
  searchOrganization: (view, { path, query }) =>
    searchOrganization(view, path['organizationId'] ?? '', String(query['query'])),
};

function pdfOf(view: View, { path, query }: Ask): Body {
  const kind: KindName = 'change-request-pdf';
  const { page, within } = placeOf(view, path);
  if (typeof query['page'] === 'string') {
    need(view, page, `${within}/${query['page']}`);
    throw new Refusal(501, 'The PDF of a page is not in the mirror: it keeps that of the whole change request');
  }
  if (query['only'] === true) throw invalid('page', 'is required with only');
  const { object } = view.reader.one(kind, within) ?? { object: null };
  if (object === null) demandTold(view, kind, within);
  if (object === null)
    throw new Refusal(501, 'The PDF is not in the mirror: it is kept when the walk is run with --pdf');
  return { url: view.address({ sha256: object.sha256, name: 'change-request.pdf', contentType: 'application/pdf' }) };
}

function ssoProviders(view: View, ask: Ask): Body[] {
  return listOf(view, { ...ask, operation: 'listSamlProviders' }).map(({ id, body }) => {
    const service = isRecord(body['service']) ? body['service'] : {};
    return { id, label: body['label'], startURL: service['startURL'] };
  });
}

function organizationsOf(view: View, domain: string): Body[] {
  return listed(view, 'organization')
    .filter(({ body }) => Array.isArray(body['emailDomains']) && body['emailDomains'].includes(domain.toLowerCase()))
    .map((one) => show(view, one));
}
