// Why a field may come back equal in every resource although the ledger does not claim it. What is not explained here and still
// comes back equal everywhere is claimed too little.
import { isComment, kindOf, type KindName } from '../../contract/index.ts';

const OF_BYTES = {
  contentType: 'the target tells it from the same names and bytes',
  dimensions: 'the target reads them from the same bytes',
};

const BY_KIND: Readonly<Partial<Record<KindName, Readonly<Record<string, string>>>>> = {
  organization: {
    hostname: 'nobody else has it on the target',
    logo: 'the target keeps no copy of the image',
    type: 'every organization of the target is of this type',
    plan: 'every organization of the target has this plan',
    trial: 'no organization of the target is on trial',
  },
  member: {
    role: 'everybody is a member of the target, and nobody had to stay an administrator',
    sso: 'everybody is a member of the target, and nobody was switched on there before',
    disabled: 'nobody is disabled on either side',
    spaces: 'the roles of the organization alone give the same rights',
  },
  team: {
    members: 'everybody is a member of the target',
    spaces: 'the roles of the organization alone give the same rights',
  },
  'team-membership': { member: 'nobody in the teams is more than a member' },
  space: { visibility: 'every space has the visibility that a new one gets where it stands' },
  page: {
    type: 'a computed page is read as the document that it shows',
    layout: 'the target reads it from the front matter',
    cover: 'the target reads it from the front matter',
  },
  'change-request-page': {
    type: 'a computed page is read as the document that it shows',
    layout: 'the target reads it from the front matter',
    cover: 'the target reads it from the front matter',
  },
  file: OF_BYTES,
  'change-request-file': OF_BYTES,
  'change-request': {
    number: 'every change request came back, and no number had been left out',
    status: 'no change request was merged',
    outdated: 'no change request is behind its space',
  },
  site: {
    basename: 'no other site of the target has it',
    published: 'no site is published on either side',
    features: 'the platform has none to tell of',
  },
  'site-space': { title: 'the platform takes it from the space, which came back' },
  'openapi-spec': {
    processingState: 'the target has read the source by now',
    text: 'the target could read every source',
    lastProcessErrorCode: 'the address cannot be read from the target either',
  },
};

const CREDITED: Readonly<Record<string, string>> = {
  postedBy: 'the credit line is read back and names the author',
  postedAt: 'the credit line is read back and names the time',
  body: 'the text is compared without the credit line, and mentions that were defused count as mentions',
  reactions: 'nobody gave a reaction that another had given, so that one account can give them all',
  target: 'the page is there, and blocks inside pages are not compared',
};

const BY_RULE: readonly ((kind: KindName, field: string) => string | undefined)[] = [
  (_kind, field) => (field === 'permissions' ? 'both sides were read with the same rights' : undefined),
  (_kind, field) => (field === 'position' ? 'the target lists in the order that was set' : undefined),
  (kind, field) => (isComment(kind) ? CREDITED[field] : undefined),
  (kind, field) => (isCount(kind, field) ? 'everything that it counts came back' : undefined),
];

function isCount(kind: KindName, field: string): boolean {
  const recovery = kindOf(kind).recovery?.[field];
  return recovery?.as === 'best-effort' && recovery.how === COUNTS;
}

const COUNTS = 'counts what came back';

/** Null when nobody knows why: then the ledger claims too little. */
export function explanationOf(kind: KindName, field: string): string | null {
  const known = BY_KIND[kind]?.[field];
  if (known !== undefined) return known;
  for (const rule of BY_RULE) {
    const why = rule(kind, field);
    if (why !== undefined) return why;
  }
  return null;
}
