// The ledger proved from the other side: what came back equal everywhere although the ledger does not claim it.
import type { LedgerEntry } from '../ledger.ts';
import type { BetterThanClaimed } from '../types.ts';
import { isComment, kindOf, type KindName } from '../../contract/index.ts';

interface Seen {
  readonly entry: LedgerEntry;
  /** Resources with a value there that says something. */
  telling: number;
  unequal: number;
}

/** Counts fields that are not claimed exact. A value that every new resource has anyway proves nothing. */
export class BetterFields {
  readonly #seen = new Map<string, Seen>();

  note(entry: LedgerEntry, { equal, trivial }: { equal: boolean; trivial: boolean }): void {
    const name = `${entry.kind}.${entry.field}`;
    const seen = this.#seen.get(name) ?? { entry, telling: 0, unequal: 0 };
    this.#seen.set(name, seen);
    if (!trivial) seen.telling += 1;
    if (!equal) seen.unequal += 1;
  }

  /** Fields that were equal in every resource of the kind. */
  found(): BetterThanClaimed[] {
    return [...this.#seen.values()].flatMap(({ entry, telling, unequal }) => {
      const { kind, field } = entry;
      if (entry.class === 'exact' || telling === 0 || unequal > 0) return [];
      return [{ kind, field, class: entry.class, resources: telling, explained: explanationOf(kind, field) }];
    });
  }
}

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

/** Why it may be so although the ledger does not claim it; null when nobody knows: then that claims too little. */
function explanationOf(kind: KindName, field: string): string | null {
  const known = BY_KIND[kind]?.[field];
  if (known !== undefined) return known;
  for (const rule of BY_RULE) {
    const why = rule(kind, field);
    if (why !== undefined) return why;
  }
  return null;
}
