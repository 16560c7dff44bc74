// The peers of bench/http.ts: what is left when everything that we add is taken away.
//   bare-get <file>   a node:http server that sends the same bytes for every request
//   framework         the same framework, body reader and schema as ours, without storage, tokens or logs

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Fastify from 'fastify';
import { readJsonObject } from '../src/api/http/body.ts';
import { newId } from '../src/domain/id.ts';
import { readKind } from '../src/kinds/fields.ts';
import { isProblem } from '../src/kinds/problem.ts';

const [mode, port = '0', file = ''] = process.argv.slice(2);

if (mode === 'bare-get') {
  const bytes = readFileSync(file);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length };
  createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  }).listen(Number(port), '127.0.0.1');
} else {
  const server = Fastify();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, next) => {
    const read = readJsonObject(bytes as Buffer);
    next(null, isProblem(read) ? undefined : read.value);
  });
  server.post('/v1/ivr', async (request, reply) => {
    const ivr = readKind('ivr', request.body as Record<string, unknown>);
    if (isProblem(ivr)) return reply.code(400).send(ivr);
    reply
      .code(201)
      .header('location', `/v1/ivr/${newId(Date.now())}`)
      .header('content-type', 'application/json; charset=utf-8');
    return reply.send(JSON.stringify({ Success: true, Message: 'IVR created.' }));
  });
  await server.listen({ port: Number(port), host: '127.0.0.1' });
}
