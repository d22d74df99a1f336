// What was restored for people to review stands in change requests until they merge it: it is compared as it stands there.
import { lazyBy } from '../../base/index.ts';
import { copyKind, isUnderWay } from '../../contract/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../journal/id-map.ts';
import { spaceOf } from '../resource.ts';
import { reviewSubject } from '../target/own-request.ts';
import type { Plan } from '../types.ts';

type Found = Resource | undefined;

/** Finds pages and files in the change requests of a restore that nobody has merged yet. */
export class InReview {
  /** Keys of the change requests in which something was found. */
  readonly waiting = new Set<string>();
  readonly #plan: Plan;
  readonly #restored: SnapshotReader;
  /** Those of a space, the newest first, whatever became of them. */
  readonly #requestsOf = lazyBy((space: string) => this.#read(space));

  constructor(plan: Plan, restored: SnapshotReader) {
    this.#plan = plan;
    this.#restored = restored;
  }

  find(ids: IdMap, resource: Resource): Found {
    const { kind, key } = resource;
    const inRequests = copyKind(kind);
    const [space, own] = [ids.get('space', spaceOf(resource)), ids.get(kind, key)];
    if (!this.#plan.review || inRequests === null || space === undefined || own === undefined) return undefined;
    for (const request of this.#requestsOf(space)) {
      if (!isUnderWay(request.body['status'])) continue;
      const found = this.#restored.one(inRequests, `${request.key}/${own}`);
      if (!found) continue;
      this.waiting.add(request.key);
      // A page shares its text with that of the space until somebody edits it.
      const text = found.text ?? this.#restored.one(kind, `${space}/${own}`)?.text ?? null;
      return { ...found, kind, text };
    }
    return undefined;
  }

  /** What a person is told of a page or file that is not there: `missing`, or that somebody archived what was to bring it. */
  whyMissing(ids: IdMap, resource: Resource): string {
    const space = ids.get('space', spaceOf(resource));
    if (!this.#plan.review || copyKind(resource.kind) === null || space === undefined) return 'missing';
    const archived = this.#requestsOf(space).find(({ body }) => body['status'] === 'archived');
    return archived ? `missing: change request #${String(archived.body['number'])} was archived` : 'missing';
  }

  #read(space: string): readonly Resource[] {
    const subject = reviewSubject(this.#plan);
    const found = [...this.#restored.resources('change-request', space)].filter(({ body }) => {
      const own = String(body['subject']);
      return own === subject || own.startsWith(`${subject} (`);
    });
    return found.toSorted((a, b) => Number(b.body['number']) - Number(a.body['number']));
  }
}
