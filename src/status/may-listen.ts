// Whether the status page could listen, before minutes are spent on what it will show.
import { createServer } from 'node:net';
import { codeOf } from '../base/index.ts';
import { refuseOpenDoor, type AccessSettings } from './access.ts';
import { cannotListen } from './cannot-listen.ts';

/** Where it is to listen; port 0 is any free one. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
}

/** The system's code for why an address cannot be listened on; null when it can. */
export async function listeningProblem(place: ListeningPlace): Promise<string | null> {
  const error = await tryToListen(place);
  return error && (codeOf(error) ?? error.name);
}

/** Throws as `startStatusServer` would now. */
export async function demandStatusServer(settings: ListeningPlace & AccessSettings): Promise<void> {
  refuseOpenDoor(settings);
  const error = await tryToListen(settings);
  if (error !== null) throw cannotListen(settings, error);
}

function tryToListen({ host, port }: ListeningPlace): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
