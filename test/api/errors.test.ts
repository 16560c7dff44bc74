// The catalogue of failures: every code is documented, every documented code exists, and each is really produced with
// exactly the one failure body.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toProblem } from '../../src/api/http/failure.ts';
import type { ApiContext, ApiRequest } from '../../src/api/http/handler.ts';
import { readyz } from '../../src/api/pages/health.ts';
import { FAULTS, PROBLEMS, type ProblemCode } from '../../src/kinds/problem.ts';
import { StorageError } from '../../src/storage/storage.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';
import { call, type Json, type Service, startService, TOKEN } from '../support/service.ts';
import { FAILURES, FAULTY } from './support/failing-requests.ts';
import { expectFailure } from './support/failure.ts';
import { openSocket, readReply, type WireReply } from './support/wire.ts';

const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;

let service: Service;
let slow: Promise<WireReply>[];
const sockets: Socket[] = [];
/** Sends a beginning and nothing more. */
async function begin(bytes: string): Promise<WireReply> {
  const socket = await openSocket(service.url);
  sockets.push(socket);
  socket.write(bytes);
  return readReply(socket);
}
beforeAll(async () => {
  service = await startService();
  // They take 10 and 30 seconds, so they start before all tests and are looked at after them.
  slow = [
    begin('GET /v1/agents HTTP/1.1\r\nHost: x\r\n'),
    begin(`POST /v1/ivr HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"`),
  ];
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service?.remove();
});

describe('docs/errors.md', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section): [string, string] => {
        const [heading = '', ...text] = section.split('\n');
        return [heading, text.join('\n').split(/^## /m)[0]?.trim() ?? ''];
      }),
  );

  test('has a heading for every code, in the order of the catalogue, and no others', () => {
    expect([...sections.keys()]).toEqual([...Object.keys(PROBLEMS), ...FAULTS]);
  });

  test.each(Object.entries(PROBLEMS))('explains %s and names its status', (code, status) => {
    expect(sections.get(code)).toMatch(new RegExp(`^\\*\\*${status}\\.\\*\\* [A-Z\`][\\s\\S]{30,}\\.$`));
  });

  test.each(FAULTS)('explains %s', (code) => {
    expect(sections.get(code)).toMatch(/^[A-Z`][\s\S]{25,}\.$/);
  });
});

describe('the error page of a running service', () => {
  let page: string;
  beforeAll(async () => {
    const reply = await call(service.url, 'GET', '/docs/errors', { token: null });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    page = reply.text;
  });

  test('has an anchor for every code', () => {
    const anchors = new Set([...page.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id));
    expect([...Object.keys(PROBLEMS), ...FAULTS].filter((code) => !anchors.has(code))).toEqual([]);
  });

  test('every link of the document, of /docs and of the page itself leads somewhere', async () => {
    const { text: document } = await call(service.url, 'GET', '/openapi.json', { token: null });
    const { text: docs } = await call(service.url, 'GET', '/docs', { token: null });
    const links = [
      ...[...document.matchAll(/\]\((\/[^)\s]*)\)/g)].map(([, link = '']) => link),
      ...[...docs.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => `/docs|${link}`),
      ...[...page.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => `/docs/errors|${link}`),
    ];
    const targets = links.map((link) => {
      const [base, relative] = link.includes('|') ? link.split('|') : ['/', link];
      return new URL(relative ?? '', `${service.url}${base}`);
    });
    const pages = new Map<string, string>();
    for (const { pathname, protocol } of targets)
      if (protocol !== 'data:' && !pages.has(pathname)) {
        const { status, text } = await call(service.url, 'GET', pathname, { token: null });
        expect(status, pathname).toBe(200);
        pages.set(pathname, text);
      }
    expect(targets.filter(({ pathname }) => pathname === '/docs/errors').length).toBeGreaterThan(100);
    for (const { pathname, hash } of targets)
      if (hash !== '') expect(pages.get(pathname), hash).toContain(` id="${hash.slice(1)}"`);
  });
});

describe('on a running service', () => {
  test.each(FAILURES)('%s is %s', async (what, code, ask, more = {}) => {
    const reply = await ask(service.url);
    expectFailure(reply, code, what);
    for (const [name, value] of Object.entries(more)) {
      expect(reply.headers.get(name) ?? '').toMatch(
        value instanceof RegExp ? value : new RegExp(`^${literal(value)}$`),
      );
    }
  });

  test.each(FAULTY)('%s is reported at %s', async (code, pointer, ask) => {
    const reply = await ask(service.url);
    const { Code, Errors, Message } = JSON.parse(reply.text) as Json;
    expectFailure(reply, Code === 'query_invalid' ? 'query_invalid' : 'fields_invalid', code);
    expect(Errors).toContainEqual({
      Pointer: pointer,
      Code: code,
      Message: expect.stringMatching(/^[^\n]+[.?]$/),
    });
    expect(`${Message} ${JSON.stringify(Errors)}`).not.toMatch(/undefined|NaN|\[object/);
  });

  test('the RequestId is the one that was sent, if it is harmless', async () => {
    const headers = { 'x-request-id': 'mine-1.2_3' };
    const reply = await call(service.url, 'GET', '/v1/nothing', { headers });
    expect(reply.json.RequestId).toBe('mine-1.2_3');
    const odd = await call(service.url, 'GET', '/v1/nothing', { headers: { 'x-request-id': 'a b"c' } });
    expectFailure(odd, 'path_unknown');
    expect(odd.json.RequestId).not.toContain(' ');
  });

  test('HEAD fails like GET, without the body', async () => {
    const reply = await call(service.url, 'HEAD', '/v1/ivr/unknown');
    expect([reply.status, reply.text]).toEqual([404, '']);
  });

  test('no failure of a client is logged as ours, and none is counted as running afterwards', async () => {
    const own = service.log.filter((line) => Number(JSON.parse(line).level) >= 40);
    expect(own).toEqual([]);
    const { text } = await call(service.url, 'GET', '/metrics');
    // This request, and the one whose body is still awaited.
    expect(Number(/^dialtree_http_requests_running (\d+)$/m.exec(text)?.[1])).toBeLessThanOrEqual(2);
  });
});

test('more requests than allowed are rate_limited, with Retry-After', async () => {
  const service = await startService({ env: { RATE_LIMIT: '5' } });
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => call(service.url, 'GET', '/v1/agents')),
  );
  const refused = replies.filter(({ status }) => status === 429);
  // Two seconds' worth pass at once, then five a second.
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  for (const reply of refused) {
    expectFailure(reply, 'rate_limited');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  await service.remove();
});

test('a service that is being stopped answers draining, and lets the running request finish', async () => {
  const service = await startService();
  const socket = await openSocket(service.url);
  const body = '{}';
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const finished = readReply(socket);
  socket.write(`POST /v1/ivr HTTP/1.1\r\n${HEAD}${type}\r\n`);
  while (!/requests_running 2$/m.test((await call(service.url, 'GET', '/metrics')).text));
  const stopped = service.stop();
  let reply = await call(service.url, 'GET', '/v1/agents');
  while (reply.status === 200) reply = await call(service.url, 'GET', '/v1/agents');
  expectFailure(reply, 'draining');
  expect(reply.headers.get('retry-after')).toBe('5');
  expectFailure(await call(service.url, 'GET', '/readyz'), 'draining');
  socket.write(body);
  expectFailure(await finished, 'fields_invalid');
  expect(await stopped).toBe(0);
  await service.remove();
});

test('text to be spoken is tts_unavailable where no speech program is, and says how to get one', async () => {
  const service = await startService({ env: { TTS_COMMAND: 'no-such-program' } });
  const reply = await call(service.url, 'POST', '/v1/recording', { body: { text: 'Hello' } });
  await service.remove();
  expectFailure(reply, 'tts_unavailable');
  expect(reply.json.Message).toContain('apt-get install espeak-ng');
});

test('a service that has not finished starting answers starting', async () => {
  const app = { lifecycle: { state: 'starting' } } as ApiContext;
  expect(await readyz({} as ApiRequest, app)).toMatchObject({ problem: 'starting' });
});

describe.skipIf(postgresMissing())('without its database', () => {
  let postgres: PostgresServer;
  let service: Service;
  beforeAll(async () => {
    postgres = await startPostgres();
    service = await startService({ env: { DATABASE_URL: await postgres.newDatabase() } });
    await postgres.stop('immediate');
  });
  afterAll(async () => {
    await service?.remove();
    await postgres?.remove();
  });

  test.each(['/v1/agents', '/v1/ivrs', '/readyz'])('%s is storage_unavailable', async (path) => {
    const reply = await call(service.url, 'GET', path);
    expectFailure(reply, 'storage_unavailable', path);
    expect(reply.headers.get('retry-after')).toBe('2');
  });
});

/** What no request brings about at will; the long suites fill disks. */
const INSIDE: readonly [ProblemCode, unknown][] = [
  ['internal_error', new TypeError('x is not a function')],
  ['internal_error', null],
  ['overloaded', new StorageError('overloaded', 'x')],
  ['storage_full', new StorageError('full', 'x')],
  ['storage_unavailable', new StorageError('unavailable', 'x')],
];

test.each(INSIDE)('%s discloses nothing of its cause', (code, error) => {
  const { problem, message } = toProblem(error);
  expect(problem).toBe(code);
  expect(message).not.toMatch(/function|\bx\b/);
});

test('every code of the catalogue is produced by some test here', () => {
  // Those about live calls need telephones: test/calls/live-calls.test.ts, rooms.test.ts and click-to-call.test.ts.
  const live: ProblemCode[] = [
    'click_to_call_not_applied',
    'outbound_limit_reached',
    'agent_unavailable',
    'call_not_connected',
    'room_empty',
    'call_consulting',
    'call_not_consulting',
    'call_three_way',
  ];
  const elsewhere: ProblemCode[] = [
    'request_too_slow',
    'rate_limited',
    'starting',
    'draining',
    'tts_unavailable',
    // test/api/capabilities.test.ts
    'sms_unavailable',
    // src/api/calls/simulate.test.ts
    'work_too_large',
    // Needs a caller who waited: test/calls/queue.test.ts.
    'callback_not_waiting',
    // Needs two accounts: test/attacks/trunk-addresses.test.ts.
    'address_taken',
    'quota_reached',
    // Needs another account than the first: test/api/nodes.test.ts.
    'operator_only',
    // Need several nodes: test/nodes/silent-node.test.ts and node-requests.test.ts.
    'node_unavailable',
    'node_refused',
    // Need users: users.test.ts, roles.test.ts and second-factors.test.ts.
    'sign_in_refused',
    'code_needed',
    'role_refused',
    'last_owner',
    'owner_exists',
    // Need telephones: test/calls/browser-phones.test.ts.
    'phone_session_invalid',
    'origin_refused',
    // Need a draft: drafts.test.ts.
    'draft_empty',
    'publish_conflict',
    // test/api/report.test.ts
    'mail_unavailable',
    // Need tokens of their own: matrix.test.ts, test/attacks/tokens.test.ts.
    'scope_missing',
    'token_limit_reached',
    ...live,
  ];
  const produced = [...FAILURES.map(([, code]) => code), ...elsewhere, ...INSIDE.map(([code]) => code)];
  expect([...new Set(produced)].sort()).toEqual(Object.keys(PROBLEMS).sort());
  expect([...new Set(FAULTY.map(([code]) => code))].sort()).toEqual(FAULTS.toSorted());
});

test('a request that does not arrive in time is request_too_slow', { timeout: 60_000 }, async () => {
  for (const reply of await Promise.all(slow)) expectFailure(reply, 'request_too_slow');
});

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
