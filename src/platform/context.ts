import type { PlatformChecks } from './checks.ts';
import type { Clock, Logger, Random, SqlStore } from '../base/index.ts';
import type { BackgroundWork } from './background.ts';
import type { Shown } from './content/computed-pages.ts';
import type { RevisionCache, StoredRevision } from './content/revision-cache.ts';
import type { OpenImport } from './content/imported-content.ts';
import type { LinkMemory } from './content/link-memory.ts';
import type { Lru } from './content/lru.ts';
import type { FileSigner } from './http/file-signer.ts';
import type { Spec } from './openapi/spec-text.ts';
import type { Tables } from './store/tables.ts';

export type Db = SqlStore<Tables>;

/** Reads a source into pages and files; the request names where and how. */
export type ReadContent = (request: { url: string; source: string }) => Promise<OpenImport>;

/** What every handler stands on. */
export interface PlatformContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Base address without `/v1`. */
  readonly url: string;
  readonly signer: FileSigner;
  readonly revisions: RevisionCache;
  /** Revisions with their computed pages, by the one that is stored. */
  readonly shown: WeakMap<StoredRevision, Shown>;
  /** Link targets by document. */
  readonly documentLinks: Lru<string[]>;
  readonly revisionLinks: LinkMemory;
  /** Specifications by the id of their version; undefined for a text that is none. */
  readonly specs: Lru<Spec | undefined>;
  readonly checks: PlatformChecks;
  readonly readContent: ReadContent;
  /** The bytes at an address, under the limits of imports. Throws ImportRefused, or the signal's reason. */
  readonly fetchSource: (url: string, signal?: AbortSignal) => Promise<Buffer>;
  readonly background: BackgroundWork;
  /** Whether content gets its index when somebody searches, and not when it is written. */
  readonly indexesLate: boolean;
}
