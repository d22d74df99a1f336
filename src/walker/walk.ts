// A walk from its first listing to the sealed snapshot, or the continuation of one that was cut off.
import { isRecord } from '../base/index.ts';
import {
  abandonSnapshot,
  addUsage,
  addVisit,
  countsOf,
  failuresOf,
  noteResumed,
  notOfferedIn,
  observe,
  openedSnapshot,
  openSnapshot,
  sealSnapshot,
  type Snapshot,
} from '../mirror/index.ts';
import { visitAll } from './lanes.ts';
import { takeItem, takeListing } from './listing.ts';
import { keptBody, type Body } from './parts.ts';
import type { Walk, WalkOptions, WalkProgress, WalkResult } from './types.ts';

/**
 * Visits everything in scope once and seals one snapshot. Continues an open walk of the same platform, scope and mode.
 * Failures of single reads make the snapshot partial; what speaks of more (token refused, platform out of reach, disk full,
 * interrupted) is thrown, and the walk stays open to be continued. Nothing is opened before the platform has answered once.
 */
export async function walk(options: WalkOptions): Promise<WalkResult> {
  const usage = usageSince(options);
  const current = resumed(options) ?? (await begun(options));
  const onProgress = (progress: WalkProgress): void => {
    usage.add(current.id);
    options.onProgress?.(progress);
  };
  try {
    await visitAll({ ...current, onProgress });
  } finally {
    usage.add(current.id);
  }
  return finished(current, sealSnapshot(options.mirror, current.id, options.settings.brake));
}

/** Adds to a snapshot, each time, what was used since the last time; so that a walk cut off by a kill has counted most of it. */
function usageSince({ client, clock, mirror }: WalkOptions): { add(snapshot: number): void } {
  let last = { requests: client.meter.requests, bytes: client.meter.bytes, at: clock.monotonic() };
  return {
    add: (snapshot) => {
      const now = { requests: client.meter.requests, bytes: client.meter.bytes, at: clock.monotonic() };
      const used = {
        requests: now.requests - last.requests,
        bytes: now.bytes - last.bytes,
        durationMs: now.at - last.at,
      };
      addUsage(mirror, snapshot, used);
      last = now;
    },
  };
}

function finished({ mirror, id }: Walk, snapshot: Snapshot): WalkResult {
  return {
    snapshot,
    kinds: countsOf(mirror, id),
    failures: failuresOf(mirror, id),
    notOffered: notOfferedIn(mirror, id),
  };
}

/** The walk that was cut off, when it is of the same kind and young enough; another open one is given up. */
function resumed(options: WalkOptions): Walk | undefined {
  const open = openedSnapshot(options.mirror);
  if (!open) return undefined;
  const why = whyNotResume(options, open);
  if (why !== null) {
    options.log.warn({ snapshot: open.id, why }, 'the open walk is given up');
    abandonSnapshot(options.mirror, open.id, why);
    return undefined;
  }
  options.log.info({ snapshot: open.id }, 'continuing the walk that was cut off');
  noteResumed(options.mirror, open.id);
  return { ...options, id: open.id };
}

function whyNotResume(options: WalkOptions, open: Snapshot): string | null {
  if (open.origin !== options.origin) return `it was of ${open.origin}`;
  if (open.mode !== options.mode) return `it was ${open.mode}`;
  if (open.scope !== scopeText(options)) return 'it had another scope';
  const age = options.clock.now() - Date.parse(open.started_at);
  return age > options.settings.resumeWithinMs ? 'it is too old to continue' : null;
}

function scopeText({ scope }: WalkOptions): string | null {
  const limited = scope.organizations !== null || scope.onlySpaces !== null || scope.extraSpaces.length > 0;
  return limited ? JSON.stringify(scope) : null;
}

/** Reads the first listing, and only then opens a snapshot. */
async function begun(options: WalkOptions): Promise<Walk> {
  const organizations = await readOrganizations(options);
  return options.mirror.store.transaction(() => {
    const opened = { mode: options.mode, scope: scopeText(options), origin: options.origin };
    const walking: Walk = { ...options, id: openSnapshot(options.mirror, opened) };
    if (options.scope.onlySpaces !== null) takeOnly(walking, organizations, options.scope.onlySpaces);
    else takeRoot(walking, organizations);
    return walking;
  });
}

async function readOrganizations(options: WalkOptions): Promise<Body[]> {
  const { organizations } = options.scope;
  const signal = options.signal;
  if (organizations !== null && organizations.length > 0) {
    const found: Body[] = [];
    for (const organizationId of organizations) {
      const body = await options.client.callRaw('getOrganization', { path: { organizationId } }, { signal });
      if (isRecord(body)) found.push(body);
    }
    return found;
  }
  const all: Body[] = [];
  const paging = { pageSize: options.settings.pageSize, signal };
  for await (const page of options.client.paginateRaw('listOrganizations', {}, paging)) all.push(...page.items);
  return all;
}

function takeRoot(walking: Walk, organizations: readonly Body[]): void {
  const listing = { kind: 'organization', scope: null, path: {}, mark: null } as const;
  // Organizations outside a limited walk are not missing: they were not asked for.
  if (walking.scope.organizations === null) takeListing(walking, listing, organizations);
  else for (const organization of organizations) takeItem(walking, listing, organization);
  for (const key of walking.scope.extraSpaces) addVisit(walking, { task: 'space', params: { key } });
}

/** A walk of named spaces takes in their organizations too, but nothing else below those. */
function takeOnly(walking: Walk, organizations: readonly Body[], spaces: readonly string[]): void {
  for (const body of organizations) {
    const params = { organizationId: String(body['id']) };
    observe(walking, {
      kind: 'organization',
      params,
      scope: null,
      body: keptBody('organization', body),
    });
  }
  for (const key of spaces) addVisit(walking, { task: 'space', params: { key } });
}
