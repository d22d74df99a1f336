// What this client has written in the last seconds. A platform of several machines may show what was there before for so long: a thing
// that was just made is not there, and one that was just changed is as it was.
import { isRecord, type Clock } from '../base/index.ts';
import type { RawInput } from './types.ts';

/** Milliseconds after a write within which a read that does not show it proves nothing. */
export const SHOWN_WITHIN_MS = 6000;

const FIRST_WAIT_MS = 250;

interface Written {
  readonly at: number;
  /** As the answer to the write told it; null where it tells no time. */
  readonly updatedAt: string | null;
}

export class OwnWrites {
  readonly #clock: Clock;
  /** By id, the oldest first. */
  readonly #written = new Map<string, Written>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** After a write that succeeded. */
  note(method: string, { path = {} }: RawInput, answer: unknown): void {
    const now = this.#clock.monotonic();
    for (const [id, { at }] of this.#written) {
      if (now - at < SHOWN_WITHIN_MS) break;
      this.#written.delete(id);
    }
    if (method === 'DELETE') for (const id of Object.values(path)) this.#written.delete(id);
    if (method === 'DELETE' || !isRecord(answer) || typeof answer['id'] !== 'string') return;
    const { id, updatedAt } = answer;
    this.#written.delete(id);
    this.#written.set(id, { at: now, updatedAt: typeof updatedAt === 'string' ? updatedAt : null });
  }

  /**
   * Milliseconds to wait before a call is made again that did not find what it names, and so did nothing; null where nothing that it
   * names was just made, and where it has been asked for long enough.
   */
  waitForMissing({ path = {} }: RawInput, tries: number): number | null {
    return this.#waitFor(Object.values(path), tries);
  }

  /** The same for an answer that shows something as it was before our write. */
  waitForStale(answer: unknown, tries: number): number | null {
    if (this.#written.size === 0 || !isRecord(answer) || typeof answer['id'] !== 'string') return null;
    const { id, updatedAt } = answer;
    const written = this.#written.get(id)?.updatedAt ?? null;
    if (written === null || typeof updatedAt !== 'string') return null;
    return Date.parse(updatedAt) < Date.parse(written) ? this.#waitFor([id], tries) : null;
  }

  #waitFor(ids: readonly string[], tries: number): number | null {
    const times = ids.flatMap((id) => this.#written.get(id)?.at ?? []);
    const left = Math.max(...times) + SHOWN_WITHIN_MS - this.#clock.monotonic();
    return left > 0 ? Math.min(FIRST_WAIT_MS * 2 ** tries, left) : null;
  }
}
