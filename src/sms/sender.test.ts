import { expect, test } from 'vitest';
import { Numbering } from '../domain/numbering.ts';
import type { ClaimedJob } from '../domain/outbox-job.ts';
import type { MessageChange, SmsMessage } from '../domain/sms-message.ts';
import { PATIENCE } from '../outbox/back-off.ts';
import type { SendResult } from './gateway.ts';
import { SmsSender } from './sender.ts';

const NOW_MS = 1_800_000_000_000;

/** A message in some state, a gateway that answers like this, and what came of it. */
function world(
  message: Partial<SmsMessage>,
  result: SendResult = { sent: ['g'] },
  numbering = Numbering.NONE,
) {
  const recipients: string[] = [];
  const sent: string[] = [];
  const changes: MessageChange[] = [];
  const sender = new SmsSender({
    storage: {
      getMessage: async ({ accountId, id }) => ({
        id,
        accountId,
        callId: null,
        to: '+4915112345678',
        templateId: null,
        text: 'x',
        parts: 1,
        createdAtMs: NOW_MS,
        state: 'queued',
        gatewayIds: [],
        error: null,
        updatedAtMs: NOW_MS,
        sentAtMs: null,
        ...message,
      }),
      getRecord: async () => null,
      changeMessages: async (input) => void changes.push(...input.changes),
      takeReceipts: async () => ({ unknown: [] }),
    },
    numberingOf: async () => numbering,
    gateway: {
      send: async ({ id, to }) => {
        sent.push(id);
        recipients.push(to);
        return result;
      },
      close: async () => undefined,
    },
    epochMs: () => NOW_MS,
    patience: PATIENCE,
    settled: () => undefined,
  });
  const handle = (changed: Partial<ClaimedJob> = {}) =>
    sender.handle(
      {
        id: 'm',
        accountId: 'a',
        lane: 'sms',
        orderKey: '',
        dueAtMs: NOW_MS,
        createdAtMs: NOW_MS,
        queuedAtMs: NOW_MS,
        json: '{}',
        attempts: 1,
        failures: 0,
        ...changed,
      },
      new AbortController().signal,
    );
  return { sent, recipients, changes, handle };
}

test.each([
  ['sent', 'done'],
  ['delivered', 'done'],
  ['unknown', 'done'],
  ['failed', { dead: 'refused' }],
] as const)(
  'a message that is %s already is not sent again when its job comes back',
  async (state, verdict) => {
    const { handle, sent, changes } = world({ state, error: state === 'failed' ? 'refused' : null });
    expect(await handle({ attempts: 2 })).toEqual(verdict);
    expect([sent, changes]).toEqual([[], []]);
  },
);

test.each(['queued', 'sending'] as const)(
  'a message that is %s is sent, and the ids are kept',
  async (state) => {
    const { handle, sent, changes } = world({ state });
    expect(await handle()).toBe('done');
    expect(sent).toEqual(['m']);
    expect(changes.at(-1)).toMatchObject({ state: 'sent', gatewayIds: ['g'] });
  },
);

test('a message is failed with its last try, by failures and by age, and never left on its way', async () => {
  const busy = { retry: 'busy' };
  const one = world({}, busy);
  expect(await one.handle({ attempts: 100 })).toEqual(busy);
  expect(one.changes.at(-1)).toMatchObject({ state: 'sending', error: 'busy' });
  const many = world({}, busy);
  expect(await many.handle({ failures: PATIENCE.maxFailures - 1 })).toEqual({ dead: 'busy' });
  // Half of the next wait would still fit into the day; the whole of it would not, and the lane might take that.
  const old = world({}, busy);
  const queuedAtMs = NOW_MS - PATIENCE.maxAgeMs + PATIENCE.capMs * 0.75;
  expect(await old.handle({ failures: 20, queuedAtMs })).toEqual({ dead: 'busy' });
  expect(old.changes.at(-1)).toMatchObject({ state: 'failed', error: 'busy' });
});

test.each([
  ['0151 12345678', '+4915112345678'],
  ['015112345678', '+4915112345678'],
  ['004915112345678', '+4915112345678'],
  ['+4915112345678', '+4915112345678'],
])('a message to %s goes to %s in an account in Germany', async (to, sent) => {
  const { handle, recipients } = world({ to }, { sent: [] }, new Numbering({ country: 'DE', area_code: '' }));
  expect(await handle()).toBe('done');
  expect(recipients).toEqual([sent]);
});
