// The company's system behind callback-request.json: it notes who wants to be called, and has Dialtree call them after a while.
//   TOKEN=… node callback-request.js        then dial 604 (docs/examples.md)
import { createServer } from 'node:http';

const { TOKEN, DIALTREE = 'http://127.0.0.1:8080', DESTINATION = 'department||support' } = process.env;
const DELAY_MS = Number(process.env.DELAY_MS ?? 60_000);
/** More are refused: the caller is connected to somebody instead. */
const MAX_WAITING = 100;
const waiting = new Set();

async function callBack({ number, call }) {
  const response = await fetch(`${DIALTREE}/v1/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      // A second attempt does not dial twice.
      'idempotency-key': `callback-${call}`,
    },
    body: JSON.stringify({ number, destination: DESTINATION, variables: { asked_in: call } }),
  });
  const { Message } = await response.json();
  console.log(`${number}: ${Message}`);
}

async function note(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const wanted = JSON.parse(body);
  if (waiting.size >= MAX_WAITING) return response.writeHead(503).end();
  const timer = setTimeout(() => {
    waiting.delete(timer);
    callBack(wanted).catch((error) => console.error(`${wanted.number}: ${error.message}`));
  }, DELAY_MS);
  waiting.add(timer);
  console.log(`${wanted.number} wants to be called.`);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ waiting: waiting.size }));
}

const server = createServer((request, response) =>
  note(request, response).catch(() => response.writeHead(400).end()),
);
server.listen(Number(process.env.PORT ?? 9001), '127.0.0.1', () =>
  console.log(`The callback system listens on port ${server.address().port}.`),
);
