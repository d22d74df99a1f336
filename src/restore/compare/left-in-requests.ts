// Pages that change requests take away from their space: they must not stand in the restored requests.
import type { SnapshotReader } from '../../mirror/index.ts';
import type { IdMap } from '../id-map.ts';
import type { Plan } from '../types.ts';

interface Sides {
  readonly plan: Plan;
  readonly restored: SnapshotReader;
  readonly ids: IdMap;
}

interface Left {
  readonly key: string;
  readonly isThere: boolean;
}

/** By the plan, which names them. */
export function* leftInRequests({ plan, restored, ids }: Sides): IterableIterator<Left> {
  for (const { kind, key, pages } of plan.steps) {
    if (kind !== 'change-request-revision') continue;
    const [space = ''] = key.split('/');
    const request = [ids.get('space', space), ids.get('change-request', key)];
    for (const { id } of pages?.added ?? []) {
      const place = [...request, ids.get('page', `${space}/${id}`)];
      const isThere = !place.includes(undefined) && restored.one('change-request-page', place.join('/')) !== undefined;
      yield { key: `${key}/${id}`, isThere };
    }
  }
}
