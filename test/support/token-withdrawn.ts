import type { FaultPlan } from '../../src/platform/index.ts';
import type { Asked } from './fault-matrix.ts';

/** The platform takes the token no more from the `nth` call of an operation on, and says so when it is asked for its organizations, too. */
export function tokenWithdrawnAt(operation: Asked, nth = 1): FaultPlan {
  const effect = { status: 401 };
  return [
    { operation, nth, count: 1000, effect },
    // The first one is what the walk begins with.
    { operation: 'listOrganizations', nth: 2, count: 1000, effect },
  ];
}
