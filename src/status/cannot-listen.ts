// Why the status page cannot listen where it is told to, and which setting to change.
import { AppError, codeOf, toAppError } from '../base/index.ts';

const TO_ANOTHER_PORT =
  'Set DOCMIRROR_STATUS_PORT or status.port to a free port, 0 for any, or end the process that listens there.';
const TO_ANOTHER_HOST =
  'Set DOCMIRROR_STATUS_HOST or status.host to an address of this machine: 127.0.0.1 for itself alone, 0.0.0.0 for whoever can reach it.';

const REASONS: ReadonlyMap<string, { readonly why: string; readonly hint: string }> = new Map([
  ['EADDRINUSE', { why: 'the address is taken', hint: TO_ANOTHER_PORT }],
  ['EACCES', { why: 'this user may not listen there, as on most ports below 1024', hint: TO_ANOTHER_PORT }],
  ['EADDRNOTAVAIL', { why: 'this machine does not have that address', hint: TO_ANOTHER_HOST }],
  ['ENOTFOUND', { why: 'no address is known for that name', hint: TO_ANOTHER_HOST }],
  ['EAI_AGAIN', { why: 'the name server does not answer for that name', hint: TO_ANOTHER_HOST }],
]);

/** DM_PORT_IN_USE with what the system said, in words. */
export function cannotListen({ host, port }: { host: string; port: number }, error: unknown): AppError {
  const { why, hint } = REASONS.get(codeOf(error) ?? '') ?? { why: toAppError(error).message, hint: TO_ANOTHER_PORT };
  return new AppError(
    'DM_PORT_IN_USE',
    `The status page cannot listen on ${host}:${port} (settings status.host and status.port): ${why}`,
    { hint, cause: error },
  );
}
