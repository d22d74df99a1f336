// Questions to a person on standard input; answers that are piped in are taken line by line.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Prompt extends Disposable {
  /** True when a person is at the keyboard. */
  readonly isPerson: boolean;
  /** The answer without blanks around it; an empty one, and the end of the input, give what is offered. */
  ask(question: string, offered: string): Promise<string>;
  /** What is typed is not shown. Null at the end of the input. */
  askSecret(question: string): Promise<string | null>;
}

/** Reads standard input until it is disposed; questions go to stderr. Once `signal` is aborted, each question throws its reason. */
export function createPrompt(signal: AbortSignal): Prompt {
  const isPerson = process.stdin.isTTY === true;
  const shown = { echo: true };
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (shown.echo) process.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: isPerson, signal });
  // Where a terminal is read key by key, Ctrl-C is a key and no signal; without a listener it would only end the input.
  reader.on('SIGINT', () => void process.kill(process.pid, 'SIGINT'));
  const lines = lineQueue(reader);
  const ask = async (question: string): Promise<string | null> => {
    process.stderr.write(question);
    const line = await lines.next();
    signal.throwIfAborted();
    return line === null ? null : line.trim();
  };
  return {
    isPerson,
    ask: async (question, offered) => (await ask(`${question}${offered === '' ? '' : ` [${offered}]`}: `)) || offered,
    askSecret: async (question) => {
      shown.echo = false;
      try {
        return await ask(`${question}: `);
      } finally {
        shown.echo = true;
        if (isPerson) process.stderr.write('\n');
      }
    },
    [Symbol.dispose]: () => reader.close(),
  };
}

interface LineQueue {
  /** Null at the end of the input. */
  next(): Promise<string | null>;
}

/** Lines may come before they are asked for. */
function lineQueue(reader: ReturnType<typeof createInterface>): LineQueue {
  const lines: string[] = [];
  let waiting: ((line: string | null) => void) | null = null;
  let ended = false;
  const give = (line: string | null): void => {
    const taker = waiting;
    waiting = null;
    if (taker) taker(line);
    else if (line !== null) lines.push(line);
  };
  reader.on('line', give);
  reader.on('close', () => {
    ended = true;
    give(null);
  });
  return {
    next: () =>
      new Promise((resolve) => {
        const line = lines.shift();
        if (line !== undefined) resolve(line);
        else if (ended) resolve(null);
        else waiting = resolve;
      }),
  };
}
