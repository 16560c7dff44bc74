// The company's system behind order-status.json: it is asked for the state of an order while the caller waits.
//   node order-status.js        then dial 600 (docs/examples.md)
import { createServer } from 'node:http';

const ORDERS = {
  471100: { state: 'shipped', day: 'Monday' },
  471101: { state: 'being packed', day: '' },
  471102: { state: 'lost', day: '' },
};

async function answer(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { order, caller } = JSON.parse(body);
  console.log(`${caller || 'A caller'} asks for order ${order}.`);
  const found = ORDERS[order];
  // Members become variables by `save`; `choice` leads to one of `choices`.
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(found ? { order: found } : { choice: 'unknown' }));
}

const server = createServer((request, response) =>
  answer(request, response).catch(() => response.writeHead(400).end()),
);
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () =>
  console.log(`The order system listens on port ${server.address().port}.`),
);
