// Inputs written by others to break parsers and databases (T25, T26, T28): JSONTestSuite as bodies, the big list of
// naughty strings in every text that people may send.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/kinds/problem.ts';
import { corpusMissing } from '../support/corpora.ts';
import { onBothDatabases } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { type Service, startService } from '../support/service.ts';
import { type JsonCase, jsonTestSuite, naughtyStrings } from './support/corpora.ts';
import { Client, inParallel, type WireReply } from './support/wire.ts';

const missing = corpusMissing('api');
const UNREADABLE = ['body_malformed', 'body_not_utf8', 'body_too_deep', 'body_too_many_values'];

describe.skipIf(missing)('JSONTestSuite', () => {
  const cases = missing ? [] : jsonTestSuite();
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    service = await startService();
    client = new Client(service.url, 8);
  });
  afterAll(async () => {
    client.close();
    await service.remove();
  });

  const send = ({ bytes }: JsonCase): Promise<WireReply> => client.send('POST', '/v1/ivr', bytes);
  const codeOf = ({ text }: WireReply): ProblemCode => JSON.parse(text).Code;
  const starting = (letter: string) => cases.filter(({ name }) => name.startsWith(letter));

  test('it is whole: 95 that are JSON, 188 that are not, 35 that may be either', () => {
    expect([starting('y_').length, starting('n_').length, starting('i_').length]).toEqual([95, 188, 35]);
  });

  test('every body that is not JSON is refused with 400 and the reason', async () => {
    const replies = await inParallel(8, starting('n_'), async (one) => ({ one, reply: await send(one) }));
    expect(replies.length).toBeGreaterThan(0);
    for (const { one, reply } of replies) {
      expect(reply.status, one.name).toBe(400);
      expect(UNREADABLE, one.name).toContain(codeOf(reply));
    }
  });

  test('every body that is JSON is understood: objects lack fields, others are no objects', async () => {
    const replies = await inParallel(8, starting('y_'), async (one) => ({ one, reply: await send(one) }));
    expect(replies.length).toBeGreaterThan(0);
    for (const { one, reply } of replies) {
      const isObject = one.bytes.toString().trim().startsWith('{');
      expect(reply.status, one.name).toBe(400);
      expect(codeOf(reply), one.name).toBe(isObject ? 'fields_invalid' : 'body_not_object');
    }
  });

  test('every body that parsers may treat as they like is refused for some reason', async () => {
    const replies = await inParallel(8, starting('i_'), async (one) => ({ one, reply: await send(one) }));
    expect(replies.length).toBeGreaterThan(0);
    for (const { one, reply } of replies) {
      expect(reply.status, one.name).toBeGreaterThanOrEqual(400);
      expect(reply.status, one.name).toBeLessThan(500);
    }
  });
});

/** Beside the list: NUL, halves of surrogate pairs, what forges log lines and terminals, and the edges of length. */
const OWN = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\r\n{"level":50,"msg":"forged"}',
  '\u001b[31mred\u001b[0m',
  '\u0085',
  ' \u00a0\u3000\ufeff ',
  ' padded on both sides ',
  '\u2028\u2029',
  '😀'.repeat(100),
  '😀'.repeat(101),
  'é'.repeat(1000),
  'é'.repeat(1001),
  "'; DROP TABLE records; --",
  '$1 $2 ?1 ? :a @a %s %n {0}',
  '__proto__',
  'e\u0301 \u00e9 \ufb01',
];

/** Why a text is refused as a name (or a description), by contract.md; null when it is not. */
function refusal(text: string, of: 'name' | 'description'): string | null {
  if (text.includes('\0')) return 'text_nul';
  if (/\p{Cs}/u.test(text)) return 'text_surrogate';
  if (of === 'description') return [...text].length > 1000 ? 'text_too_long' : null;
  if (/\p{Cc}/u.test(text)) return 'text_control_character';
  const length = [...text.trim()].length;
  return length === 0 ? 'text_empty' : length > 100 ? 'text_too_long' : null;
}

const TEXTS = [
  { of: 'name', field: 'name', path: '/v1/ivr', listPath: '/v1/ivrs' },
  { of: 'description', field: 'description', path: '/v1/ivr', listPath: '/v1/ivrs' },
  { of: 'agent name', field: 'name', path: '/v1/agent', listPath: '/v2/agents' },
] as const;
const isFull = process.env['TEST_DATABASES'] === 'both';

describe.skipIf(missing)('naughty strings', () => {
  const strings = missing ? [] : [...naughtyStrings(), ...OWN];

  onBothDatabases((database) => {
    let service: Service;
    let client: Client;
    let sent = 0;
    beforeAll(async () => {
      service = await startService({ env: { ...(await database.environment()), LOG_LEVEL: 'trace' } });
      client = new Client(service.url, 16);
    });
    afterAll(async () => {
      client.close();
      await service.remove();
    });
    const send = (method: string, path: string, body: unknown = null, headers = {}): Promise<WireReply> => {
      sent += 1;
      return client.send(method, path, body === null ? null : JSON.stringify(body), headers);
    };

    /** All records of a list, page by page. */
    async function readList(path: string): Promise<Record<string, unknown>[]> {
      const all: Record<string, unknown>[] = [];
      for (let cursor = ''; ; ) {
        const { status, text } = await send('GET', `${path}?limit=200${cursor && `&cursor=${cursor}`}`);
        expect(status).toBe(200);
        const page = JSON.parse(text) as { data: Record<string, unknown>[]; next_cursor: string | null };
        all.push(...page.data);
        if (page.next_cursor === null) return all;
        cursor = page.next_cursor;
      }
    }

    // What a database does with a text does not depend on the field: on PostgreSQL one of them is enough for every day.
    const fields = TEXTS.filter(({ of }) => of === 'name' || database.name === 'SQLite' || isFull);
    describe.each(fields)('as $of', ({ field, path, listPath }) => {
      test('come back byte for byte, or are refused for the right reason', async () => {
        const kept = new Map<string, string>();
        await inParallel(16, strings, async (text) => {
          const body = path === '/v1/ivr' ? menu({ [field]: text }) : { [field]: text };
          const reply = await send('POST', path, body);
          const reason = refusal(text, field);
          const answer = JSON.parse(reply.text);
          expect(reply.status, `${JSON.stringify(text)}: ${reply.text}`).toBe(reason ? 400 : 201);
          if (reason) expect(answer.Errors[0], text).toMatchObject({ Pointer: `/${field}`, Code: reason });
          else kept.set(reply.headers.get('location') ?? '', text);
        });
        expect(kept.size).toBeGreaterThan(400);

        await inParallel(16, [...kept], async ([location, text]) => {
          const reply = await send('GET', location);
          expect(reply.status).toBe(200);
          expect(Buffer.from(JSON.parse(reply.text)[field])).toEqual(Buffer.from(text));
        });
        const listed = new Map(
          (await readList(listPath)).map((one) => [String(one['eid'] ?? one['id']), one[field]]),
        );
        for (const [location, text] of kept) expect(listed.get(location.split('/').at(-1) ?? '')).toBe(text);
      });
    });

    test('in addresses, queries and headers are never our fault', async () => {
      const sendable = strings.filter(
        (text) => text.isWellFormed() && text !== '' && text !== '.' && text !== '..',
      );
      expect(sendable.length).toBeGreaterThan(400);
      await inParallel(16, sendable, async (text) => {
        const word = encodeURIComponent(text);
        const cursor = Buffer.from(JSON.stringify([text])).toString('base64url');
        // Header values are Latin-1 without controls; the rest of a text cannot be sent there at all.
        const header = text.replace(/[^\x20-\x7e\xa0-\xff]/g, '');
        const more = {
          'x-request-id': header,
          'idempotency-key': header,
          'if-match': header,
          'user-agent': header,
        };
        for (const [method, path] of [
          ['GET', `/v1/ivr/${word}`],
          ['GET', `/v1/agent/${word}`],
          ['PUT', `/v1/team/${word}`],
          ['DELETE', `/v1/department/${word}`],
          ['DELETE', `/v1/token/${word}`],
          ['GET', `/v2/agents?q=${word}&sort=name`],
          ['GET', `/v1/ivrs?cursor=${cursor}`],
          ['GET', `/v1/tokens?cursor=${word}`],
        ] as const) {
          const body = method === 'PUT' ? { name: 'x' } : null;
          const { status, text: answer } = await send(method, path, body, more);
          expect(status, `${method} ${path}: ${answer}`).toBeLessThan(500);
          expect(JSON.parse(answer)).toBeTypeOf('object');
        }
      });
    });

    test('leave a log of one JSON object per line and one line per answer', async () => {
      await service.stop();
      const events = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
      const levels = new Set(events.map(({ level }) => level));
      expect([...levels]).toEqual([30]);
      const messages = new Set(events.map(({ msg }) => msg));
      expect([...messages].sort()).toEqual(['closed', 'draining', 'listening', 'request answered']);
      const answered = events.filter(({ msg }) => msg === 'request answered');
      expect(answered.length).toBe(sent);
    });
  });
});
