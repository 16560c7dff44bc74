// POST /v1/ivr against generated bodies: never a 5xx, always an answer that the OpenAPI document promises, and a 201
// exactly when an independent reading of the contract says so. FUZZ_BODIES and FUZZ_SEED change the run.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { menu } from '../support/payload.ts';
import { call, type Service, startService } from '../support/service.ts';
import { ivrBody } from './support/bodies.ts';
import { type AnswerCheck, answerCheck, fetchDocument, makeAjv, operationsOf } from './support/document.ts';
import { isValidIvr } from './support/oracle.ts';
import { Client, inParallel, roundTrip, type WireReply } from './support/wire.ts';

const BODIES = Number(process.env['FUZZ_BODIES'] ?? 5_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const BATCH = 500;
const CONNECTIONS = 32;
/** The kinds of contract.md; each is accepted from the day it works. */
const KINDS = [
  'extension',
  'ivr',
  'department',
  'timegroup',
  'announcement',
  'voicemail',
  'room',
  'number',
  'hangup',
  ...['collect', 'request', 'switch', 'stream', 'sip_address', 'message'],
];

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = new Client(service.url, CONNECTIONS);
});
afterAll(async () => {
  client.close();
  await service.remove();
});

/** The kinds that work today: the answer to an unknown one lists them. Without a trunk no number is among them. */
async function knownKinds(): Promise<string[]> {
  const body = menu({ timeout_destination: 'nonsense||1' });
  const { json } = await call(service.url, 'POST', '/v1/ivr', { body });
  const kinds =
    /known kinds are ([a-z_, ]+)\./
      .exec(json.Message)?.[1]
      ?.split(', ')
      .filter((kind) => kind !== 'number') ?? [];
  expect(KINDS).toEqual(expect.arrayContaining(kinds));
  expect(kinds).toContain('extension');
  return kinds;
}

interface Verdict {
  readonly accepted: boolean;
  readonly wrong: string | null;
}

function judge(body: string, reply: WireReply, expected: boolean, check: AnswerCheck): Verdict {
  const accepted = reply.status === 201;
  const contentType = reply.headers.get('content-type') ?? '';
  const promised = check('createIvr', { ...reply, contentType });
  const wrong =
    promised ??
    (reply.status >= 500 ? 'a 5xx' : null) ??
    (/undefined|NaN|\[object/.test(reply.text) && !/undefined|NaN|\[object/.test(body)
      ? 'a message for programmers'
      : null) ??
    // An id that an earlier body chose is refused, however valid the rest is.
    (accepted === expected || (expected && reply.text.includes('"Code":"key_taken"'))
      ? null
      : `the contract says ${expected ? 'valid' : 'invalid'}`);
  const shown = wrong && `${wrong}: ${body.slice(0, 2000)} → ${reply.status} ${reply.text.slice(0, 500)}`;
  return { accepted, wrong: shown };
}

test(`${BODIES} generated bodies get a promised answer, and 201 exactly when the contract says valid`, {
  timeout: 120_000 + BODIES * 5,
}, async () => {
  const document = await fetchDocument(service.url);
  const check = answerCheck(document);
  const schema = operationsOf(document).find(({ id }) => id === 'createIvr')?.body?.schema ?? {};
  const matchesSchema = makeAjv().compile(schema);
  const kinds = await knownKinds();
  let accepted = 0;
  for (let batch = 0; batch * BATCH < BODIES; batch++) {
    const numRuns = Math.min(BATCH, BODIES - batch * BATCH);
    const bodies = fc.sample(ivrBody(kinds), { numRuns, seed: SEED + batch });
    const verdicts = await inParallel(CONNECTIONS, bodies, async (body) => {
      const reply = await client.send('POST', '/v1/ivr', body);
      const verdict = judge(body, reply, isValidIvr(body, kinds), check);
      if (!verdict.accepted || verdict.wrong) return verdict;
      // What is accepted was announced. The schema shows the usable values of the three tolerated fields; "" counts as not sent.
      const { id, recording_invalid, timeout_retries, ...sent } = JSON.parse(body) as Record<string, unknown>;
      const announced = matchesSchema({ ...sent, sms_template: sent['sms_template'] || null });
      return announced
        ? verdict
        : { ...verdict, wrong: `accepted, but the request schema refuses it: ${body}` };
    });
    const wrong = verdicts.filter((verdict) => verdict.wrong !== null);
    expect(wrong.map((verdict) => verdict.wrong).slice(0, 5), `FUZZ_SEED=${SEED}`).toEqual([]);
    accepted += verdicts.filter((verdict) => verdict.accepted).length;
  }
  // Neither answer is rare, or the comparison would show nothing.
  expect(accepted / BODIES).toBeGreaterThan(0.2);
  expect(accepted / BODIES).toBeLessThan(0.8);
  // Nothing went wrong quietly either: 30 is info.
  expect(service.log.filter((line) => !line.startsWith('{"level":30,'))).toEqual([]);
});

describe('huge and odd JSON (T26)', () => {
  const name = (value: string) => JSON.stringify(menu()).replace('"Main menu"', () => value);
  const timeout = (value: string) => JSON.stringify(menu()).replace('"timeout":5', `"timeout":${value}`);
  const options = (count: number) => `{"option":[${'1,'.repeat(count - 1)}1]}`;
  const deep = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  // biome-ignore format: a table is read by its columns
  test.each<[what: string, body: () => string, status: number, code: string, fault?: string]>([
    ['10 MB of text', () => name(`"${'x'.repeat(10_000_000)}"`), 413, 'body_too_large'],
    ['1 MB of text', () => name(`"${'x'.repeat(1_000_000)}"`), 413, 'body_too_large'],
    ['a name of 250 KB', () => name(`"${'x'.repeat(250_000)}"`), 400, 'fields_invalid', 'text_too_long'],
    ['1,000,000 options', () => options(1_000_000), 413, 'body_too_large'],
    ['100,000 options', () => options(100_000), 400, 'body_too_many_values'],
    ['9,000 options', () => options(9000), 400, 'fields_invalid', 'list_too_long'],
    ['a depth of 100,000', () => deep(100_000), 400, 'body_too_deep'],
    ['a depth of 100,000 that never closes', () => '['.repeat(100_000), 400, 'body_too_deep'],
    ['a depth of 40', () => deep(40), 400, 'body_too_deep'],
    ['the number 1e400', () => timeout('1e400'), 400, 'fields_invalid', 'number_malformed'],
    ['the number -1e400', () => timeout('-1e400'), 400, 'fields_invalid', 'number_malformed'],
    ['a number of 200,000 digits', () => timeout('9'.repeat(200_000)), 400, 'fields_invalid', 'number_malformed'],
    ['half of a surrogate pair', () => name('"\\ud800"'), 400, 'fields_invalid', 'text_surrogate'],
    ['the wrong half first', () => name('"\\udc00\\ud800"'), 400, 'fields_invalid', 'text_surrogate'],
    ['the character NUL', () => name('"a\\u0000b"'), 400, 'fields_invalid', 'text_nul'],
    ['200,000 backslashes', () => name(`"${'\\'.repeat(200_000)}`), 400, 'body_malformed'],
    ['200,000 quotes', () => '"'.repeat(200_000), 400, 'body_malformed'],
  ])('%s: refused, while the service answers others', async (_, make, status, code, fault) => {
    const body = make();
    // What takes more time than the body is long, does not end before this test.
    const [reply, alive] = await Promise.all([
      client.send('POST', '/v1/ivr', body),
      client.send('GET', '/healthz'),
    ]);
    expect(alive.status).toBe(200);
    const answer = JSON.parse(reply.text);
    expect({ status: reply.status, code: answer.Code }).toEqual({ status, code });
    if (fault) expect(answer.Errors.map(({ Code }: { Code: string }) => Code)).toContain(fault);
    expect(Buffer.byteLength(reply.text), 'what was sent is not sent back').toBeLessThan(30_000);
  });

  test('a body that is too large in chunks, without a length, is refused too', async () => {
    const head =
      'POST /v1/ivr HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer test-token-of-the-first-account\r\n';
    const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const { status, text } = await roundTrip(service.url, `${head}${type}${chunk.repeat(5)}`);
    expect([status, JSON.parse(text).Code]).toEqual([413, 'body_too_large']);
  });

  test('of two members with one name the last one counts, and __proto__ is a name like any other', async () => {
    const text = JSON.stringify(menu()).replace('{', '{"name":"first","__proto__":{"name":"proto","x":1},');
    const { status, headers } = await client.send('POST', '/v1/ivr', text);
    expect(status).toBe(201);
    const read = await client.send('GET', headers.get('location') ?? '');
    expect(JSON.parse(read.text)).toMatchObject({ name: 'Main menu' });
    expect(JSON.parse(read.text)).not.toHaveProperty('x');
  });
});
