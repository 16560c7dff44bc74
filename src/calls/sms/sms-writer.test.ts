import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { NewMessage } from '../../domain/sms-message.ts';
import { makeFlow } from '../../flow/flow.ts';
import { aMenu, anAgent } from '../../flow/testing/samples.ts';
import { MemoryAllowance } from '../../sharing/memory/allowance.ts';
import type { CallFacts } from '../records/call-record.ts';
import { SmsWriter } from './sms-writer.ts';

const text = 'Dear {name} ({caller}): {option} of {ivr} is {agent}{destination}. {dialled}';
const flow = makeFlow({
  nodes: [aMenu('main', { name: 'Main' }), anAgent('7', { name: 'Asha' })],
  templates: new Map([['t', { id: 't', name: 'T', text, active: true }]]),
});
const facts: CallFacts = {
  id: 'call',
  accountId: 'acme',
  callId: 'x',
  direction: 'inbound',
  caller: '+4930123456',
  callerName: 'Ann\nB',
  dialled: '100',
  entry: 'ivr||main',
  startedAtMs: 0,
};
const action = {
  type: 'queue-sms',
  node: 'ivr||main',
  keys: '1',
  destination: 'extension||7',
  template: 't',
  to: '+4930123456',
} as const;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function smsWriterWith(perMinute = 100) {
  const clock = new VirtualClock();
  const stored: NewMessage[] = [];
  const state = { broken: false, failures: 0, lost: 0, refused: 0, reports: 0 };
  const smsWriter = new SmsWriter({
    storage: {
      queueMessages: async ({ messages }) => {
        if (state.broken) throw new Error('away');
        stored.push(...messages);
        return { outcome: 'queued', refused: messages.slice(0, state.refused).map(({ id }) => id) };
      },
    },
    clock,
    allowance: new MemoryAllowance({ most: perMinute }, () => clock.epochMs()),
    failed: () => {
      state.failures += 1;
    },
    lost: (messages) => {
      state.lost = messages;
      state.reports += 1;
    },
  });
  return { smsWriter, clock, stored, state };
}

describe('a text message of a call', () => {
  test('that the outbox refuses is counted as lost, and reported only then', async () => {
    const { smsWriter, state } = smsWriterWith();
    void smsWriter.queue(flow, facts, action);
    await smsWriter.flush();
    expect(state.reports).toBe(0);
    state.refused = 1;
    for (let each = 0; each < 2; each++) {
      void smsWriter.queue(flow, facts, action);
      await smsWriter.flush();
    }
    expect([state.lost, state.reports]).toEqual([2, 2]);
  });

  test('has the visitor’s name, page and button, where the call came from a web page', async () => {
    const { smsWriter, stored } = smsWriterWith();
    const about = makeFlow({
      nodes: [aMenu('main')],
      templates: new Map([['t', { id: 't', name: 'T', text: '{name}: {page} ({button})', active: true }]]),
    });
    const page = `https://shop.example/basket?${'x'.repeat(300)}`;
    void smsWriter.queue(about, { ...facts, web: { button: 'website-sales', page } }, action);
    void smsWriter.queue(about, { ...facts, web: { button: null, page: '' } }, action);
    void smsWriter.queue(about, facts, action);
    await settled();
    const texts = stored.map((message) => message.text);
    expect(texts).toEqual([`Ann B: ${page} (website-sales)`, 'Ann B:  ()', 'Ann B:  ()']);
  });

  test('is filled in and stored under the id that the call gets', async () => {
    const { smsWriter, stored } = smsWriterWith();
    const id = smsWriter.queue(flow, facts, action);
    await settled();
    expect(stored).toMatchObject([{ id, accountId: 'acme', callId: 'call', templateId: 't', parts: 1 }]);
    expect(stored[0]?.text).toBe('Dear Ann B (+4930123456): 1 of Main is AshaAsha. 100');
  });

  test('waits during an outage of the database, and is stored once afterwards', async () => {
    const { smsWriter, stored, state, clock } = smsWriterWith();
    state.broken = true;
    void smsWriter.queue(flow, facts, action);
    await settled();
    expect(state.failures).toBe(1);
    state.broken = false;
    clock.advance(1000);
    await settled();
    expect(stored).toHaveLength(1);
    expect(state.lost).toBe(0);
  });

  test('is stored before the service stops, and leaves nothing running', async () => {
    const { smsWriter, stored, clock } = smsWriterWith();
    void smsWriter.queue(flow, facts, action);
    await smsWriter.flush();
    expect(stored).toHaveLength(1);
    expect(clock.running).toBe(0);
  });

  test('is not sent beyond the allowance of the minute, which is each account’s own', async () => {
    const { smsWriter, clock } = smsWriterWith(2);
    const queue = (accountId = 'acme') => smsWriter.queue(flow, { ...facts, accountId }, action) !== null;
    expect([queue(), queue(), queue(), queue('other')]).toEqual([true, true, false, true]);
    clock.advance(60_000);
    expect(queue()).toBe(true);
  });
});
