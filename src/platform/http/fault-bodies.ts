// Bodies that do not arrive as they should.
import type { HttpBindings } from '@hono/node-server';
import type { Clock } from '../../base/index.ts';

const PIECES_PER_SECOND = 10;

/** Announces the whole length, sends half of it, and ends the connection. */
export async function truncated(response: Response, outgoing: HttpBindings['outgoing']): Promise<Response> {
  const { bytes, status, headers } = await wholeOf(response);
  let sent = false;
  const half = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent) {
        outgoing.destroy();
        controller.close();
      } else controller.enqueue(bytes.subarray(0, bytes.byteLength >> 1));
      sent = true;
    },
  });
  return new Response(half, { status, headers });
}

/** Announces the whole length, and sends it in small pieces at the given pace. Ends when the client goes away. */
export async function slowly(response: Response, clock: Clock, bytesPerSecond: number): Promise<Response> {
  const { bytes, status, headers } = await wholeOf(response);
  const piece = Math.max(1, Math.round(bytesPerSecond / PIECES_PER_SECOND));
  const gone = new AbortController();
  let sent = 0;
  const trickle = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      // Whoever went away is told nothing more; there is nobody to reject to.
      if (sent > 0) await clock.sleep((piece / bytesPerSecond) * 1000, gone.signal).catch(() => undefined);
      if (gone.signal.aborted) return;
      controller.enqueue(bytes.subarray(sent, sent + piece));
      sent += piece;
      if (sent >= bytes.byteLength) controller.close();
    },
    cancel: () => gone.abort(),
  });
  return new Response(bytes.byteLength === 0 ? null : trickle, { status, headers });
}

async function wholeOf(response: Response): Promise<{ bytes: Uint8Array; status: number; headers: Headers }> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  if (bytes.byteLength > 0) headers.set('content-length', String(bytes.byteLength));
  return { bytes, status: response.status, headers };
}
