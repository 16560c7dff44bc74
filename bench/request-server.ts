// The company's system of bench/requests.ts, in a process of its own: answers every request after a few milliseconds.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER_MS = 20;
const ANSWER = JSON.stringify({ choice: 'yes', order: { state: 'shipped', day: 'Monday' } });
const server = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.setHeader('content-type', 'application/json').end(ANSWER), ANSWER_MS);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit(0));
