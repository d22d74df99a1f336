// What a resource kind is, as data. The walk, the SQL views, the order of a restore, the ledger and the comparison after a
// restore are all derived from these declarations.
import type { TSchema } from 'typebox';
import type { AnyOperationName, OperationName, PagedOperationName } from '../operations/index.ts';

/** A filter that hides all that has another value of it. */
export interface Each {
  readonly parameter: string;
  readonly values: readonly string[];
  /** Those of them that the API document names: a platform may not know the others. */
  readonly named: readonly string[];
}

/** How the walk gets the resources of a kind. */
export type Reading =
  /** A paged listing below the parent; `each` repeats it for every value of a filter that hides the others. */
  | {
      readonly from: 'list';
      readonly operation: PagedOperationName;
      readonly query?: Readonly<Record<string, string>>;
      readonly each?: Each;
    }
  /** One read below the parent; an array answer holds several resources. */
  | { readonly from: 'single'; readonly operation: OperationName }
  /** An array inside the answer of its parent, nested by `nested`; `mayLack`: an answer without it may be whole. */
  | { readonly from: 'part'; readonly field: string; readonly nested?: string; readonly mayLack?: true }
  /** No listing of its own: the union of what listings of other kinds show (spaces), and ids that the configuration names (invites). */
  | { readonly from: 'routes'; readonly routes: readonly string[] }
  /** Fetched beside its parent where the walk is set to do so. */
  | {
      readonly from: 'beside';
      readonly operation: OperationName;
      readonly query?: Readonly<Record<string, string>>;
    };

/** Why a field does not come back exactly. */
export type Recovery =
  | { readonly as: 'best-effort'; readonly how: string }
  /** `given`: every new resource gets one of its own, so that nobody misses the old one. */
  | { readonly as: 'lost'; readonly why: string; readonly given?: true };

export interface KindShape {
  /** Name of the SQL view; kinds that share one are united in it. */
  readonly view: string;
  readonly schema: TSchema;
  /** The kind below which it is found on the walk; null at the root. */
  readonly parent: string | null;
  /** Path parameters that identify it, its own last. */
  readonly params: readonly [string, ...string[]];
  /** Where its own id stands in its body: a field, or `a.b`; null for the one child of its parent. */
  readonly id: string | null;
  readonly read: Reading;
  /** The direct read, which gives evidence of absence. */
  readonly get?: OperationName;
  readonly create?: AnyOperationName;
  readonly update?: OperationName;
  readonly remove?: OperationName;
  readonly move?: OperationName;
  /** Fields of the parent that move when something in this listing does; absent: always read. */
  readonly movesWith?: readonly string[];
  /** Field of the parent that counts all of them: proves that a shorter listing is whole. With `movesWith`, nothing is asked at 0, unless another counter there says more. */
  readonly countedBy?: string;
  /** Field of the parent that counts some of them: a listing with fewer is not whole. */
  readonly countedAtLeastBy?: string;
  /** Where nothing counts them: there is at least one below every parent, or below each that has this field. */
  readonly neverNone?: true | { readonly where: string };
  /** The kind of a space of which a change request has a copy as this one. */
  readonly copyOf?: string;
  /** Field -> kind it names by id. */
  readonly refs?: Readonly<Record<string, string>>;
  /** Fields that hold whole resources of another kind; kept as those, and here as a reference. */
  readonly embeds?: Readonly<Record<string, string>>;
  /** The platform derives it from other resources: a listing without it is proof enough, nothing is lost with it, and the brake does not count it. */
  readonly derived?: true;
  /** Types of resources that are cut to a reference wherever they are nested: they are kept elsewhere, and move on their own. */
  readonly cut?: readonly string[];
  /** Fields whose change is not news: not compared, and stripped of signatures before they are kept. */
  readonly volatile?: readonly string[];
  /** Addresses that the platform may sign anew with each answer, under names that hold what people wrote elsewhere. */
  readonly signs?: readonly string[];
  /** Fields that follow from what stands around it, and move without an edit of it. */
  readonly follows?: readonly string[];
  /** Body text that is fetched apart (pages) and bytes behind a download address (files). */
  readonly text?: 'markdown';
  readonly bytes?: 'downloadURL' | 'url';
  /** What a restore cannot bring back exactly, by field; `*` stands for the whole resource, `a.b` for a part of a field. */
  readonly recovery?: Readonly<Record<string, Recovery>>;
}

export function kind<const K extends KindShape>(shape: K): K {
  return shape;
}

export const serverSet: Recovery = { as: 'lost', why: 'set by the platform', given: true };
export const noOperation: Recovery = { as: 'lost', why: 'no operation of the API sets it' };
export const secret: Recovery = { as: 'lost', why: 'a secret the API never shows again' };
/** What no resource brings back: its id is given by the platform, addresses follow from it, and rights depend on who looks. */
export const identity = {
  id: serverSet,
  urls: serverSet,
  permissions: { as: 'lost', why: 'what the token may do there; not a property of the resource', given: true },
} as const satisfies Readonly<Record<string, Recovery>>;
/** A count that the platform keeps of things that are restored by themselves. */
export const counted: Recovery = { as: 'best-effort', how: 'counts what came back' };
/** Where it stands among its siblings. */
export const inListing: Recovery = {
  as: 'best-effort',
  how: 'put into its order, of which nothing tells but the listing: a platform may list in another one',
};
export function bestEffort(how: string): Recovery {
  return { as: 'best-effort', how };
}
