import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { isProblem } from '../../kinds/problem.ts';
import type { Access } from '../http/auth.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';
import { BUTTON_REQUESTS_PER_MINUTE, ButtonLimits } from './button-limits.ts';
import { askingPage, createButtonSession } from './phone-session.ts';
import { PhoneSessions } from './phone-sessions.ts';

const ORIGIN = 'https://www.example.com';

function bed() {
  const buttons = [{ key: 'website-sales', name: '', to: 'ivr||main', origins: [ORIGIN] }];
  const account = { id: 'acme', settings: { ...DEFAULT_SETTINGS, call_buttons: buttons } };
  let reads = 0;
  const access = {
    refresh: async () => {
      reads += 1;
    },
    accountNow: (id: string) => (id === 'acme' ? account : null),
  } as unknown as Access;
  const sealer = { seal: (text: string) => text, open: (text: string) => text };
  const context = {
    callControl: () => ({}),
    access,
    phoneSessions: new PhoneSessions(sealer, access),
    buttonLimits: new ButtonLimits({ rateLimit: 100, rateLimitLoopback: false }),
    publicUrl: null,
    iceServers: { urls: [], turnSecret: null },
  } as unknown as ApiContext;
  const request = (key: string, origin: string, value: object = {}): ApiRequest =>
    ({
      params: { key },
      headers: { origin, host: 'pbx.example' },
      address: '203.0.113.9',
      body: { value },
      nowMs: Date.now(),
    }) as unknown as ApiRequest;
  return { context, request, reads: () => reads };
}

test('one network reads nothing beyond its limit, also by unknown keys and by what browsers ask before', async () => {
  const { context, request, reads } = bed();
  for (let at = 0; at < BUTTON_REQUESTS_PER_MINUTE / 2; at++) {
    expect(await askingPage(request(`acme.unknown-${at}`, ORIGIN), context)).toMatchObject({
      problem: 'origin_refused',
    });
    await createButtonSession(request(`other.unknown-${at}`, ORIGIN), context);
  }
  expect(reads()).toBe(BUTTON_REQUESTS_PER_MINUTE);
  expect(await askingPage(request('acme.unknown', ORIGIN), context)).toMatchObject({
    problem: 'rate_limited',
  });
  const refused = await createButtonSession(request('acme.website-sales', ORIGIN), context);
  expect(refused).toMatchObject({
    problem: 'rate_limited',
    headers: { 'retry-after': expect.any(String), 'access-control-allow-origin': ORIGIN },
  });
  expect(reads()).toBe(BUTTON_REQUESTS_PER_MINUTE);
});

test('a session has the page without its query, and the origin that it is for', async () => {
  const { context, request } = bed();
  const made = await createButtonSession(
    request('acme.website-sales', 'https://WWW.example.com', { page: `${ORIGIN}/reset?token=secret` }),
    context,
  );
  expect(isProblem(made)).toBe(false);
  const [listed] = context.phoneSessions.listOf('acme', Date.now());
  expect(listed?.session).toMatchObject({
    by: { kind: 'button', key: 'website-sales', origin: ORIGIN },
    grant: { page: `${ORIGIN}/reset` },
  });
  await createButtonSession(request('acme.website-sales', 'https://pbx.example'), context);
  expect(context.phoneSessions.listOf('acme', Date.now())[1]?.session.by).toMatchObject({ origin: null });
});

test('a visitor’s name neither turns the text around it nor hides anything', async () => {
  const { context, request } = bed();
  const name = '\u202eevil\u2066 \u200bVera\u061c क्\u200dष';
  await createButtonSession(request('acme.website-sales', ORIGIN, { name }), context);
  const [listed] = context.phoneSessions.listOf('acme', Date.now());
  expect(listed?.session.grant).toMatchObject({ name: 'evil Vera क्\u200dष' });
});
