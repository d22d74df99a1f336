// Everything that is asked of a platform goes through here: typed calls, listings, downloads, behind one limiter.
export { SHOWN_WITHIN_MS } from './own-writes.ts';
export { ApiClient, createClient, endingWith } from './client.ts';
export { demandAnswer } from './demand-answer.ts';
export { createAgent } from './agent.ts';
export { ApiError, isOutage, isRefusedAnew, isTokenRefused, mayBeOfAll, type OutageCode } from './api-error.ts';
export type { CallInput, ClientLimits, ClientOptions, PageOptions, RawInput, RequestInfo, WaitInfo } from './types.ts';
export { networkReason } from './network-reason.ts';
export { hasItems, isList, itemsOf, LargeList } from './large-json.ts';
