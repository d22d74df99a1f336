import type { AnyOperationName, Answer } from '../../contract/index.ts';
import type { ObservedClock } from '../observed-clock.ts';
import type { Answerer } from './answer-request.ts';
import type { Visit } from './visit.ts';

export interface RememberedAnswer {
  readonly operation: AnyOperationName;
  readonly answer: Answer;
}

/** Answers that are still true, because nothing was written since they were made. */
export interface AnswerMemory {
  get(visit: Visit): RememberedAnswer | undefined;
  /** Keeps the answer to a GET that was made without writing and that time does not change. */
  put(visit: Visit, remembered: RememberedAnswer): void;
}

export interface RememberingParts {
  /** The clock of the context. */
  clock: ObservedClock;
  /** Rises with every write to the database. */
  changes: () => number;
}

/** Puts what may be remembered into the memory: an answer that was given at once, and neither wrote nor asked for the time. */
export function remembering(parts: RememberingParts, memory: AnswerMemory, answerOf: Answerer): Answerer {
  return (request) => {
    if (request.visit.method !== 'GET') return answerOf(request);
    const { reads } = parts.clock;
    const changes = parts.changes();
    const answer = answerOf(request);
    const isLasting = !(answer instanceof Promise) && answer.status === 200;
    if (isLasting && parts.clock.reads === reads && parts.changes() === changes) {
      memory.put(request.visit, { operation: request.match.name, answer });
    }
    return answer;
  };
}

const MAX_CHARACTERS = 8 * 1024 * 1024;
/** One answer may take this share of the whole. */
const LARGEST_SHARE = 1 / 16;

/** Keeps the most recently used answers, up to a number of characters. `changes` rises with every write. */
export function createAnswerMemory(changes: () => number, maxCharacters: number = MAX_CHARACTERS): AnswerMemory {
  const kept = new Map<string, RememberedAnswer>();
  let madeAt = changes();
  let characters = 0;
  const forgetOld = (): void => {
    const now = changes();
    if (now === madeAt) return;
    kept.clear();
    characters = 0;
    madeAt = now;
  };
  return {
    get: (visit) => {
      forgetOld();
      const key = keyOf(visit);
      const found = kept.get(key);
      if (!found) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    put: (visit, remembered) => {
      forgetOld();
      const key = keyOf(visit);
      const size = sizeOf(key, remembered);
      if (size > maxCharacters * LARGEST_SHARE || kept.has(key)) return;
      kept.set(key, remembered);
      characters += size;
      for (const [oldest, one] of kept) {
        if (characters <= maxCharacters) break;
        kept.delete(oldest);
        characters -= sizeOf(oldest, one);
      }
    },
  };
}

// Everything that decides an answer and is not in the database.
function keyOf({ method, target, bindings }: Visit): string {
  return `${method} ${bindings.incoming.headers.authorization} ${target}`;
}

function sizeOf(key: string, { answer }: RememberedAnswer): number {
  return key.length + (answer.text?.length ?? 0);
}
