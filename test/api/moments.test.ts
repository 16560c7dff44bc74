// Times that are sent to the API are read in one way, wherever they stand.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let webhook = '';
let hours = '';
beforeAll(async () => {
  service = await sharedService();
  const made = async (path: string, body: object): Promise<string> =>
    (await call(service.url, 'POST', path, { body })).json.id;
  webhook = await made('/v1/webhook', { name: 'x', url: 'https://hooks.example.com/' });
  hours = await made('/v1/timegroup', { name: 'x', timezone: 'Europe/Berlin', weekly: [] });
});
afterAll(() => service?.remove());

/** Asks with this time, as somebody who encodes nothing. */
const PLACES: readonly (readonly [string, (text: string) => Promise<number>])[] = [
  '/v1/call/records?from=',
  '/v1/statistics?from=',
  '/v1/voicemails?from=',
  '/v1/call/recordings?to=',
  '/v1/sms?until=',
  '/v1/audit?from=',
  '/v1/timegroup/{hours}?at=',
].map((path) => [
  path,
  async (text: string) => (await call(service.url, 'GET', `${path.replace('{hours}', hours)}${text}`)).status,
]);
const REPLAY = [
  'the replay of a webhook',
  async (from: string) =>
    (await call(service.url, 'POST', `/v1/webhook/${webhook}/replay`, { body: { from } })).status,
] as const;

const recently = new Date(Date.now() - 3_600_000).toISOString();
const GOOD = [
  recently,
  recently.slice(0, 10),
  recently.replace('Z', '+00:00'),
  recently.replace('Z', '456789+01:30'),
  recently.replace(/:\d\d\..*/, 'Z'),
];
const BAD = ['yesterday', '2026-02-30', '2026-02-30T10:00:00Z', '2026-12-24T18:00:00', '1766595600000'];

test.each([...PLACES, REPLAY])(
  '%s takes dates and times with their offset, and nothing else',
  async (_, ask) => {
    for (const text of GOOD) expect([text, await ask(text)]).toEqual([text, 200]);
    for (const text of BAD) expect([text, await ask(text)]).toEqual([text, 400]);
  },
);
