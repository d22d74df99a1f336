// Answers an empty listing to everything and remembers when each request arrived, in milliseconds; /arrivals tells and forgets.
import { createServer } from 'node:http';

let arrivals: number[] = [];
const EMPTY = JSON.stringify({ count: 0, items: [] });

const server = createServer((request, response) => {
  const isQuestion = request.url === '/arrivals';
  if (!isQuestion) arrivals.push(performance.now());
  const body = isQuestion ? JSON.stringify(arrivals) : EMPTY;
  if (isQuestion) arrivals = [];
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}\n`);
});
