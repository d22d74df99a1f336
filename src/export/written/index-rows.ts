// Rows of the index of an export.

/** What a file belongs to; a part of a space is brought up to date as a whole. */
export const PARTS = { content: 0, requests: 1, comments: 2, root: 3 } as const;
export type Part = (typeof PARTS)[keyof typeof PARTS];

/** How far links of a text reach: none looked at, within its space, to other spaces. */
export const REACH = { none: 0, space: 1, beyond: 2 } as const;
export type Reach = (typeof REACH)[keyof typeof REACH];

/** Owner of the file that a link to a whole space leads to. */
export const SPACE_OWNER = 'space';

export interface FileEntry {
  readonly path: string;
  /** Number of the space in the index; 0 for none. */
  readonly space: number;
  readonly part: Part;
  /** `page/<id>`, `file/<id>` or `SPACE_OWNER`; null for what nothing links to. */
  readonly owner: string | null;
  readonly reach: Reach;
}

export interface FileRow extends FileEntry {
  readonly sha256: Buffer;
  readonly size: number;
  /** Time of its last change on disk, ms. */
  readonly mtime: number;
  /** The run that last came by it, and the one that wrote it. */
  readonly seen: number;
  readonly written: number;
  /** 1 when it is not on disk as it was written. */
  readonly lost: number;
}

/** What should be on disk: the number of its space, bytes, ms. */
export type FileState = readonly [path: string, space: number, size: number, mtime: number];

export interface SpaceRow {
  readonly num: number;
  readonly path: string;
  /** Hash of all names in it; null before it was first laid out. */
  readonly layout: string | null;
  readonly documents: number;
  readonly files: number;
}

/** What of a space is counted. */
export interface SpaceCounts {
  readonly documents: number;
  readonly files: number;
  readonly missing: number;
}

export interface DeferredPage {
  readonly seq: number;
  readonly path: string;
  readonly num: number;
  readonly space: string;
  readonly owner: string;
}
