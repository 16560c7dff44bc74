import { describe, expect, it } from 'vitest';
import type { ClaimedJob } from '../domain/outbox-job.ts';
import { deliveryJob, eventBody, OVERLAP_MS } from '../domain/webhook.ts';
import type { Webhook } from '../kinds/webhook.ts';
import { verifyWebhook } from '../kit/webhook-signature.ts';
import type { Verdict } from '../outbox/lane-runner.ts';
import type { Fetched, FetchOptions } from '../safe-fetch/safe-fetch.ts';
import { webhookDelivery } from './webhook-delivery.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const FORMER = 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=';
const NOW_MS = 1_797_534_000_000;

const answer = (status: number, headers: Record<string, string> = {}): Fetched => ({
  ok: true,
  status,
  headers,
  body: Buffer.alloc(0),
  url: '',
});

/** A receiver that answers like this, and what it was sent. */
function world(webhook: Partial<Webhook> | null = {}, answers: () => Fetched = () => answer(204)) {
  const sent: { url: string; options: FetchOptions }[] = [];
  const row = webhook && {
    id: 'w',
    version: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
    json: JSON.stringify({
      name: 'x',
      url: 'https://hooks.example.com/a',
      events: ['*'],
      status: 'active',
      sealed_secret: SECRET,
      ...webhook,
    } satisfies Webhook),
  };
  let nowMs = 0;
  const handler = webhookDelivery({
    storage: { getRecord: async () => row },
    // Sealed secrets are the secrets themselves here, but for one that cannot be opened.
    sealer: {
      seal: (secret) => secret,
      open: (sealed, place) => (sealed === 'lost' || place !== 'webhook secret a w' ? null : sealed),
    },
    fetchSafely: async (url, options) => {
      sent.push({ url, options });
      return answers();
    },
    clock: { nowMs: () => nowMs, epochMs: () => NOW_MS + nowMs },
  });
  const body = (type: string) => eventBody({ id: 'e1', type, atMs: NOW_MS, data: {} });
  const job = (type: string): ClaimedJob => ({
    ...deliveryJob('a', 'w', { id: 'e1', callId: 'c', atMs: NOW_MS }, body(type)),
    attempts: 1,
    failures: 0,
    queuedAtMs: NOW_MS,
  });
  return {
    sent,
    deliver: (type = 'call.ended'): Promise<Verdict> => handler(job(type), new AbortController().signal),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a delivery', () => {
  it('is posted to the URL of now, signed with the secret and with the one before it for a day', async () => {
    const { deliver, sent } = world({ former: { sealed_secret: FORMER, until_ms: NOW_MS + OVERLAP_MS } });
    expect(await deliver()).toEqual({ done: 'HTTP 204' });
    const [{ url, options } = { url: '', options: undefined }] = sent;
    expect(url).toBe('https://hooks.example.com/a');
    expect(options).toMatchObject({ method: 'POST', timeoutMs: 10_000 });
    const { headers = {}, body = '' } = options ?? {};
    expect(headers).toMatchObject({ 'webhook-id': 'e1', 'x-dialtree-event': 'call.ended' });
    for (const secret of [SECRET, FORMER])
      expect(verifyWebhook({ secret, headers, body, nowMs: NOW_MS })).toEqual({ ok: true });
  });

  it('is no longer signed with a secret whose day is over', async () => {
    const { deliver, sent } = world({ former: { sealed_secret: FORMER, until_ms: NOW_MS - 1 } });
    await deliver();
    expect(sent[0]?.options.headers?.['webhook-signature']).not.toContain(' ');
  });

  it.each([
    [200, {}, { done: 'HTTP 200' }],
    [299, {}, { done: 'HTTP 299' }],
    [302, {}, { retry: 'HTTP 302', afterMs: 0 }],
    [400, {}, { retry: 'HTTP 400', afterMs: 0 }],
    [410, {}, { dead: 'HTTP 410' }],
    [429, { 'retry-after': '120' }, { retry: 'HTTP 429', afterMs: 120_000 }],
    [503, { 'retry-after': '999999' }, { retry: 'HTTP 503', afterMs: 3_600_000 }],
    [503, { 'retry-after': 'soon' }, { retry: 'HTTP 503', afterMs: 0 }],
  ])('that is answered with %i %j ends as %j', async (status, headers, verdict) => {
    expect(await world({}, () => answer(status, headers)).deliver()).toEqual(verdict);
  });

  it('that cannot be made is tried again, with the reason', async () => {
    const refused: Fetched = {
      ok: false,
      fault: 'address_refused',
      message: '10.0.0.1 is not on the open internet.',
    };
    expect(await world({}, () => refused).deliver()).toEqual({ retry: refused.message });
  });

  it('to a webhook that was deleted is given up; one that is paused or sealed waits', async () => {
    expect(await world(null).deliver()).toEqual({ dead: 'The webhook was deleted.' });
    const paused = world({ status: 'paused' });
    expect(await paused.deliver()).toHaveProperty('later');
    expect(await paused.deliver('webhook.ping')).toEqual({ done: 'HTTP 204' });
    const sealed = world({ sealed_secret: 'lost' });
    expect(await sealed.deliver()).toHaveProperty('later');
    expect([paused.sent.length, sealed.sent.length]).toEqual([1, 0]);
  });

  it('to a receiver that failed five times is not even tried until it has rested', async () => {
    let status = 500;
    const { deliver, sent, pass } = world({}, () => answer(status));
    for (let count = 0; count < 5; count++) expect(await deliver()).toHaveProperty('retry');
    expect(await deliver()).toHaveProperty('later');
    expect(sent).toHaveLength(5);
    status = 200;
    pass(5000);
    expect(await deliver()).toEqual({ done: 'HTTP 200' });
    expect(await deliver()).toEqual({ done: 'HTTP 200' });
  });
});
