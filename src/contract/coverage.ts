// Which reads of the contract the mirror makes, and why it does not make the others.
import { kindNames, kindOf, type KindName } from './kinds/index.ts';
import { operationNames, operationOf, type OperationName } from './operations/index.ts';

/** One read of the contract and what the mirror has of it. */
export interface Coverage {
  readonly operation: OperationName;
  readonly path: string;
  readonly is: 'mirrored' | 'derived' | 'not mirrored';
  /** Kinds that hold what it answers. */
  readonly kinds: readonly KindName[];
  /** From what it is derived, or why it is not mirrored; null for what is mirrored by its kinds alone. */
  readonly why: string | null;
}

/** Reads whose answer another read of the walk holds already. */
const DERIVED: Readonly<Partial<Record<OperationName, { from: readonly KindName[]; why: string }>>> = {
  listPages: { from: ['revision', 'page'], why: 'getRevision answers the same tree' },
  listFiles: { from: ['revision', 'file'], why: 'getRevision answers all files at once' },
  listChangeRequestPages: {
    from: ['change-request-revision', 'change-request-page'],
    why: 'getChangeRequestRevision answers the same tree',
  },
  listChangeRequestFiles: {
    from: ['change-request-revision', 'change-request-file'],
    why: 'getChangeRequestRevision answers all files at once',
  },
  listFileBacklinks: { from: ['link'], why: 'listSpaceLinks names target and location of every link' },
  listPageLinks: { from: ['link'], why: 'listSpaceLinks names the page of every link' },
  getLatestOpenApiSpecVersion: { from: ['openapi-spec-version'], why: 'listOpenApiSpecVersions answers every version' },
  getLatestOpenApiSpecVersionContent: {
    from: ['openapi-spec-content'],
    why: 'getOpenApiSpecVersionContent is read of every version',
  },
  listSsoProviders: { from: ['saml-provider'], why: 'listSamlProviders answers id, label and start address too' },
};

/** Reads that are not made. */
const NOT_MIRRORED: Readonly<Partial<Record<OperationName, string>>> = {
  searchSpace: 'an answer to a question, not a resource; the mirror has a full-text search of its own',
  searchOrganization: 'an answer to a question, not a resource; the mirror has a full-text search of its own',
  listEmailDomainOrganizations: 'needs a domain to ask for; the domains of an organization are in its own record',
  listChangeRequestFileBacklinks: 'the platform computes it from the pages of the change request, which are mirrored',
  listChangeRequestPageLinks: 'the platform computes it from the pages of the change request, which are mirrored',
};

/** Reads that are a route to a kind with no listing of its own. */
const ROUTES: Readonly<Partial<Record<OperationName, KindName>>> = { listCollectionSpaces: 'space' };

/** Every GET of the contract, in its order, each exactly once. */
export function coverage(): Coverage[] {
  return operationNames.filter((name) => operationOf(name).method === 'GET').map(coverageOf);
}

function coverageOf(operation: OperationName): Coverage {
  const { path } = operationOf(operation);
  const kinds = kindNames.filter((kind) => readsOf(kind).includes(operation) || ROUTES[operation] === kind);
  const derived = DERIVED[operation];
  const unread = NOT_MIRRORED[operation];
  if ([kinds.length > 0, derived !== undefined, unread !== undefined].filter(Boolean).length !== 1)
    throw new Error(`${operation} must be mirrored, derived or named with a reason, and only one of these`);
  if (derived !== undefined) return { operation, path, is: 'derived', kinds: derived.from, why: derived.why };
  if (unread !== undefined) return { operation, path, is: 'not mirrored', kinds: [], why: unread };
  return { operation, path, is: 'mirrored', kinds, why: null };
}

function readsOf(kind: KindName): OperationName[] {
  const { read, get } = kindOf(kind);
  return ['operation' in read ? read.operation : undefined, get].filter((one) => one !== undefined);
}
