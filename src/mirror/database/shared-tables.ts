// Rows of what settled change requests show as their spaces did.
import type { Generated } from 'kysely';

/** What a settled change request shows as its space did: one for its pages, one for its files. */
export interface SharedTreeRow {
  /** Never given twice. */
  tid: Generated<number>;
  /** The revision of the change request. */
  rid: number;
  /** The kind that its entries are of. */
  kind: string;
  /** Number of the first tree of the same kind in the same space. */
  series: number;
  valid_from: number;
  valid_to: number | null;
  /** Hash of the whole tree as it was read. */
  mark: string;
  /** Hash of all its entries, with what stands in them. */
  hash: string;
  /** How many entries it has, and how many of them have a document tree. */
  amount: number;
  documents: number;
}

/** A page or file of such trees, by that of the space: trees of one series that follow each other have most in common. */
export interface SharedEntryRow {
  series: number;
  /** Numbers of the first and the last tree of the series that have it, and all between do. */
  first: number;
  last: number;
  /** The page or file of the space. */
  rid: number;
  /** The page that it stands below: of the space where that is shared too, else of the change request. */
  parent: number | null;
  position: number | null;
  body: number;
  text: number | null;
  /** The body of its document tree. */
  document: number | null;
  object: string | null;
  size: number | null;
}
