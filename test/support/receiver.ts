// Whoever is told: a web server and a mail server on this machine that keep what they are sent.
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** What it answers from now on, one by one; 200 when there is nothing left. */
  readonly answers: number[];
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answers.shift() ?? 200).end('ok');
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answers,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return close(server);
    },
  };
}

/** Takes what it is sent and hangs up, as a proxy does that lets nothing through. */
export async function startAbruptReceiver(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request) => request.resume().on('end', () => request.socket.destroy()));
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => close(server) };
}

/** Takes what it is sent, says so, and tells that; it never comes to the end of its answer. */
export async function startEndlessReceiver(onTaken: () => void): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200).write('o');
      onTaken();
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return close(server);
    },
  };
}

export interface MailServer extends AsyncDisposable {
  readonly url: string;
  /** Whole messages, headers first. */
  readonly mails: string[];
}

/** As much of a mail server as one message needs; it knows no receiver of these names. */
export async function startMailServer(
  unknown: readonly string[] = [],
  offers: readonly 'STARTTLS'[] = [],
): Promise<MailServer> {
  const mails: string[] = [];
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    converse(socket, { mails, unknown, offers });
  });
  const port = await listen(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    [Symbol.asyncDispose]: () => {
      for (const socket of open) socket.destroy();
      return close(server);
    },
  };
}

/** A mail server that begins its answer to the greeting, and tells when; it never comes to the end of it. */
export async function startEndlessMailServer(
  onGreeted: () => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('250-and\r\n');
      onGreeted();
    });
    socket.write('220 test\r\n');
  });
  const port = await listen(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => {
      for (const socket of open) socket.destroy();
      return close(server);
    },
  };
}

export interface SilentReceiver extends AsyncDisposable {
  /** Host and port. */
  readonly address: string;
  /** Resolves when it was asked so often. */
  asked(times: number): Promise<void>;
}

/** Takes whatever is sent to it, by whichever protocol, and never answers. */
export async function startSilentReceiver(): Promise<SilentReceiver> {
  const open = new Set<Socket>();
  const changes = new EventEmitter();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    changes.emit('asked');
  });
  const port = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    asked: async (times) => {
      while (open.size < times) await once(changes, 'asked');
    },
    [Symbol.asyncDispose]: () => {
      for (const socket of open) socket.destroy();
      return close(server);
    },
  };
}

interface Conversation {
  readonly mails: string[];
  readonly unknown: readonly string[];
  readonly offers: readonly string[];
}

function converse(socket: Socket, { mails, unknown, offers }: Conversation): void {
  let text = '';
  let inData = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  socket.on('error', () => undefined);
  say('220 test');
  socket.on('data', (part: Buffer) => {
    text += part.toString();
    for (
      let end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n');
      end >= 0;
      end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n')
    ) {
      const line = text.slice(0, end);
      text = text.slice(end + (inData ? 5 : 2));
      if (inData) {
        mails.push(line);
        inData = false;
        say('250 kept');
      } else if (line === 'DATA') {
        inData = true;
        say('354 go on');
      } else if (unknown.some((name) => line.startsWith(`RCPT TO:<${name}>`))) say('550 not here');
      else if (line.startsWith('EHLO'))
        say(['250-test', ...offers.map((one) => `250-${one}`), '250 HELP'].join('\r\n'));
      else if (line === 'STARTTLS') say('502 not here');
      else say(line === 'QUIT' ? '221 bye' : '250 fine');
    }
  });
}

function listen(server: Server | TcpServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server | TcpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
