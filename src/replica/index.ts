/** The reads of the API, answered from the mirror: read-only, at the last complete snapshot or any other. */
export { failureAnswer } from './failure-answer.ts';
export { FILES } from './file-addresses.ts';
export { createReplica, type Replica } from './replica.ts';
