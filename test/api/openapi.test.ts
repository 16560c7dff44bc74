// The OpenAPI document: well-formed, true (every example in it works), and the same as its checked-in copy.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/openapi.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { deliveryJob, eventBody } from '../../src/domain/webhook.ts';
import { RECORDS } from '../../src/kinds/records.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { storeCallRecording } from '../support/call-recording-rows.ts';
import {
  ANNOUNCEMENT,
  aTrunk,
  aWebhook,
  BLOCKED_NUMBER,
  CALLER_ID_RULE,
  COLLECT,
  CONTACT,
  callRow,
  MESSAGE,
  REQUEST,
  ROOM,
  SIP_ADDRESS,
  STREAM,
  SWITCH,
  TIME_GROUP,
  VOICEMAIL_BOX,
} from '../support/payload.ts';
import { recordingForm } from '../support/recording-form.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import {
  answerCheck,
  fetchDocument,
  fill,
  makeAjv,
  type Operation,
  operationsOf,
} from './support/document.ts';

const document: Json = JSON.parse(JSON.stringify(openApiDocument(ROUTES)));
const operations = operationsOf(document);

/** Every object in the document with the path to it. */
function* nodes(node: Json, at = '#'): Generator<[string, Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [at, node];
  for (const [key, value] of Object.entries(node)) yield* nodes(value, `${at}/${key}`);
}

const resolve = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: Json, key) => at?.[key], document);

test('the checked-in copy is the document; "npm run openapi" writes it anew', () => {
  const copy = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  const written = `${JSON.stringify(openApiDocument(ROUTES), null, 2)}\n`;
  expect(copy === written, 'docs/openapi.json is out of date: run "npm run openapi" and commit it').toBe(
    true,
  );
});

describe('the document is OpenAPI 3.1', () => {
  test('it has a version, a title, servers, and a license by its SPDX name', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Dialtree', version: expect.any(String) });
    expect(document.info.license).toEqual({ name: 'Apache-2.0', identifier: 'Apache-2.0' });
    expect(document.servers).toMatchObject([{ url: '/' }]);
  });

  test('every reference leads somewhere', () => {
    const refs = [...nodes(document)].map(([, node]) => node.$ref).filter((ref) => typeof ref === 'string');
    expect(refs.length).toBeGreaterThan(30);
    for (const ref of refs) {
      expect(ref).toMatch(/^#\//);
      expect(resolve(ref), ref).toBeTypeOf('object');
    }
  });

  test('every schema of components is used', () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas))
      expect(text, name).toContain(`"#/components/schemas/${name}"`);
  });

  test('every operation has an id of its own, a summary, a tag, and says who may ask', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    for (const path of Object.values<Json>(document.paths)) {
      for (const operation of Object.values<Json>(path)) {
        expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
        expect(operation.summary).toMatch(/^[A-Z]/);
        expect(operation.tags).toHaveLength(1);
        expect(JSON.stringify(operation.security)).toMatch(
          /^\[(\{"token":\[("(read|write|calls|admin)")?\]\}(,\{"token":\["draft"\]\})?)?\]$/,
        );
      }
    }
    expect(document.components.securitySchemes).toMatchObject({ token: { type: 'http', scheme: 'bearer' } });
  });

  test('every placeholder of a path has its parameter with an example, and no parameter comes twice', () => {
    for (const { path, parameters, id } of operations) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = parameters.filter((one) => one.in === 'path');
      expect(inPath.map(({ name }) => name).sort(), id).toEqual(placeholders.sort());
      for (const { required, example } of inPath)
        expect([required, typeof example]).toEqual([true, 'string']);
      const names = parameters.map((one) => `${one.in} ${one.name}`);
      expect(new Set(names).size, id).toBe(names.length);
      for (const one of parameters) expect(['path', 'query', 'header']).toContain(one.in);
    }
  });

  test('every answer has a status and a description, and failures look alike', () => {
    for (const path of Object.values<Json>(document.paths)) {
      for (const { responses, operationId } of Object.values<Json>(path)) {
        expect(responses.default, operationId).toEqual({ $ref: '#/components/responses/Failure' });
        const own = Object.entries<Json>(responses).filter(([status]) => status !== 'default');
        expect(own.length, operationId).toBeGreaterThan(0);
        for (const [status, response] of own) {
          const isFailure = response.$ref?.startsWith(`#/components/responses/Failure${status}.`) ?? false;
          expect([status, isFailure]).toEqual([expect.stringMatching(/^[2-5]\d\d$/), Number(status) >= 400]);
          expect((isFailure ? resolve(response.$ref) : response).description).toMatch(/\w/);
        }
      }
    }
  });

  test('every schema compiles as JSON Schema 2020-12, with nothing unknown in it', () => {
    const found = [...nodes(document)]
      .filter(([at]) => at.endsWith('/schema') || /^#\/components\/schemas\/[^/]+$/.test(at))
      .filter(([at]) => !at.includes('/properties/'));
    expect(found.length).toBeGreaterThan(60);
    const ajv = makeAjv();
    ajv.addKeyword('components');
    ajv.addSchema({ $id: 'openapi', components: document.components });
    // Many operations share a schema, and schemas refer to others: as members of one schema each is compiled once.
    const named = '#/components/schemas/';
    const distinct = new Map(
      found.map(
        ([at, schema]) => [at.startsWith(named) ? at : JSON.stringify(schema), [at, schema]] as const,
      ),
    );
    const properties = Object.fromEntries(
      [...distinct.values()].map(([at, schema]) => [
        at,
        at.startsWith(named)
          ? { $ref: `openapi${at}` }
          : JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')),
      ]),
    );
    expect(ajv.compile({ type: 'object', properties })).toBeTypeOf('function');
  });

  test('every example is what its own schema asks for', () => {
    const examples = operations.filter(({ body }) => body);
    expect(examples.length).toBeGreaterThan(8);
    const ajv = makeAjv();
    for (const { id, body } of examples) {
      expect(body?.example, `${id} has an example`).toBeTypeOf('object');
      const validate = ajv.compile(body?.schema ?? {});
      expect(validate(body?.example), `${id}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });
});

describe('every example works on the demonstration data', () => {
  let service: Service;
  let check: ReturnType<typeof answerCheck>;
  beforeAll(async () => {
    service = await startService({ env: { DEMO: 'on', NODE_ID: 'node-1' } });
    check = answerCheck(document);
    // What the demonstration has not.
    const storage = await openSqlite(service.dataDir);
    const accountId = (await storage.listAccounts())[0]?.id ?? '';
    const json = JSON.stringify(aTrunk());
    await storage.createRecord({ accountId, kind: 'trunk', id: 'provider', atMs: 1, json });
    const people = [
      ['timegroup', 'office-hours', TIME_GROUP],
      ['announcement', 'recorded', ANNOUNCEMENT],
      ['voicemail', 'support', VOICEMAIL_BOX],
      ['room', 'weekly', ROOM],
      ['collect', 'order-number', COLLECT],
      ['request', 'order-status', REQUEST],
      ['stream', 'voice-bot', STREAM],
      ['switch', 'by-state', SWITCH],
      ['message', 'directions', MESSAGE],
      ['sip_address', 'head-office', SIP_ADDRESS],
      ['blocked_number', 'spam', BLOCKED_NUMBER],
      ['caller_id_rule', 'rule', CALLER_ID_RULE],
      ['contact', 'contact', CONTACT],
    ] as const;
    for (const [kind, id, data] of people)
      await storage.createRecord({ accountId, kind, id, atMs: 1, json: JSON.stringify(data) });
    await storage.createRecord({
      accountId,
      kind: 'webhook',
      id: 'help-desk',
      atMs: 1,
      json: JSON.stringify(aWebhook()),
    });
    const body = eventBody({ id: 'none', type: 'call.ended', atMs: 1, data: {} });
    const delivery = deliveryJob(accountId, 'help-desk', { id: 'none', callId: null, atMs: 1 }, body);
    await storage.addJobs({ jobs: [{ ...delivery, id: 'none' }] });
    await storage.saveCalls({ calls: [callRow({ accountId, id: 'first' })] });
    await storeCallRecording(storage, service.dataDir, { accountId, id: 'first-message' });
    await storeCallRecording(storage, service.dataDir, {
      accountId,
      kind: 'call',
      id: 'first',
      eid: '100001',
    });
    const template = JSON.stringify(RECORDS.sms_template.example);
    await storage.createRecord({ accountId, kind: 'sms_template', id: 'hours', atMs: 1, json: template });
    const sms = { callId: null, to: '+491511234567', templateId: null, text: 'x', parts: 1, createdAtMs: 1 };
    await storage.queueMessages({ messages: [{ ...sms, accountId, id: 'first' }] });
    const number = { number: sms.to, numberKey: sms.to, callerKey: sms.to, typed: false };
    const asked = {
      department: 'sales',
      askedBy: 'first',
      place: 1,
      priority: 0,
      askedAtMs: 1,
      callId: 'first',
    };
    const waiting = { state: 'waiting', attempts: 0, dueAtMs: 1, result: null, endedAtMs: null } as const;
    await storage.addCallback({
      callback: { accountId, id: 'main', ...number, ...asked, ...waiting },
      limits: { department: 1, account: 1 },
    });
    await storage.close();
    const box = { failover_destination: 'voicemail||support' };
    expect((await call(service.url, 'PATCH', '/v1/agent/100001', { body: box })).status).toBe(200);
  });
  afterAll(() => service.remove());

  test('the service serves this very document', async () => {
    expect(await fetchDocument(service.url)).toEqual(document);
  });

  const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  /** Paths of users, whom the demonstration does not have. The codes of links and passkeys in the examples are invalid. */
  const ofPeople = /^\/v1\/(me|user_link|user|owner|session\/passkey)(\/|$)/;
  const rank = ({ method }: Operation): number => ORDER.indexOf(method);
  const ordered = operations.toSorted((one, other) => rank(one) - rank(other));

  test.each(ordered.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_, operation) => {
      const { id, method, path, parameters, body, upload } = operation;
      const examples = parameters
        .filter((one) => one.in === 'path')
        .map((one) => [one.name, one.example ?? '']);
      // Examples may break tests of the demonstration's menus: its front desk is the agent that is blocked.
      const query = parameters.some(({ name }) => name === 'skip_tests') ? '?skip_tests=true' : '';
      const reply = await call(service.url, method, fill(path, Object.fromEntries(examples)) + query, {
        ...(body ? { body: upload ? recordingForm() : body.example } : {}),
      });
      const contentType = reply.headers.get('content-type') ?? '';
      expect(check(id, { status: reply.status, text: reply.text, contentType }), reply.text).toBeNull();
      // The examples of deletions name what others point to, and a token that does not exist. Live calls need telephones, mail a server.
      const live =
        path.startsWith('/v1/live_calls/') ||
        /^\/v1\/(call(\/\w+(\/\w+)?)?|click_to_call|phone_sessions?|phone_session\/{id}|call_button\/{key}\/session|report\/send|mail\/test|room\/{id}\/(un)?(lock|mute)|room\/{id}\/remove|agent\/{eid}\/(state|pause|resume|end_wrap_up|sign_in|sign_out))$/.test(
          path,
        );
      const allowed =
        id === 'createSession'
          ? // The example's token is nobody's.
            [401]
          : path === '/v1/deleted_record/{id}/restore'
            ? // A deletion has an id that no example can name.
              [404]
            : path === '/v1/draft/publish' || path === '/v1/publication/{id}/roll_back'
              ? // The demonstration has no draft, and has published nothing.
                [404, 409]
              : ofPeople.test(path)
                ? [200, 201, 400, 401, 403, 404, 409]
                : method === 'DELETE'
                  ? [200, 404, 409, ...(live ? [501] : [])]
                  : live && method === 'POST'
                    ? [501]
                    : [200, 201, ...(live ? [501] : [])];
      expect(allowed, reply.text).toContain(reply.status);
    },
  );

  test('what is not changed since is 304, as the document says', async () => {
    const conditional = operations.filter(({ statuses }) => statuses.includes('304'));
    expect(conditional.map(({ id }) => id)).toContain('listAgents');
    for (const { id, path, parameters } of conditional) {
      const examples = parameters
        .filter((one) => one.in === 'path')
        .map((one) => [one.name, one.example ?? '']);
      const address = fill(path, Object.fromEntries(examples));
      const first = await call(service.url, 'GET', address);
      if (first.status === 404) continue;
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
      const second = await call(service.url, 'GET', address, { headers });
      expect([second.status, second.text], id).toEqual([304, '']);
      expect(check(id, { status: 304, text: '', contentType: '' })).toBeNull();
    }
  });
});
