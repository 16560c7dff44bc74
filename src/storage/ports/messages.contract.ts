// What every database must do with text messages.
import { describe, expect, it } from 'vitest';
import type { NewMessage } from '../../domain/sms-message.ts';
import type { Opened } from './opened.contract.ts';

const message = (id: string, changes: Partial<NewMessage> = {}): NewMessage => ({
  id,
  accountId: 'texts',
  callId: null,
  to: '+4915112345678',
  templateId: null,
  text: `Hello ${id} 😀`,
  parts: 1,
  createdAtMs: 1000,
  ...changes,
});

export function messageContract(opened: () => Opened): void {
  describe('text messages', () => {
    const storage = () => opened().storage;
    const queue = (...messages: NewMessage[]) => storage().queueMessages({ messages });
    const change = (id: string, state: 'sending' | 'sent' | 'failed', more = {}, atMs = 2000) =>
      storage().changeMessages({ changes: [{ accountId: 'texts', id, state, ...more }], atMs });
    const receipt = (
      gatewayId: string,
      state: 'delivered' | 'failed' | 'unknown',
      error: string | null = null,
    ) => storage().takeReceipts({ receipts: [{ gatewayId, state, error }], atMs: 3000 });
    const state = async (id: string) => (await storage().getMessage({ accountId: 'texts', id }))?.state;

    it('a queued message is read back whole, by its own account alone, and has its job', async () => {
      const one = message('whole', { callId: 'c1', templateId: '7', parts: 2 });
      expect(await queue(one)).toEqual({ outcome: 'queued', refused: [] });
      expect(await storage().getMessage(one)).toEqual({
        ...one,
        state: 'queued',
        gatewayIds: [],
        error: null,
        updatedAtMs: 1000,
        sentAtMs: null,
      });
      expect(await storage().getMessage({ ...one, accountId: 'other' })).toBeNull();
      expect(await storage().getJob(one)).toMatchObject({ lane: 'sms', state: 'waiting', dueAtMs: 1000 });
    });

    it('a message that is sent again is queued once', async () => {
      await queue(message('again'));
      await queue(message('again', { text: 'other' }));
      expect((await storage().getMessage(message('again')))?.text).toBe(message('again').text);
    });

    it('a claimed key gives the first answer and queues nothing more', async () => {
      const idempotency = { route: 'POST /v1/sms', key: 'k', bodyHash: 'h', answer: 'first' };
      await storage().queueMessages({ messages: [message('first')], idempotency });
      expect(
        await storage().queueMessages({
          messages: [message('second')],
          idempotency: { ...idempotency, answer: 'second' },
        }),
      ).toEqual({ outcome: 'claimed_before', bodyHash: 'h', answer: 'first' });
      expect(await state('second')).toBeUndefined();
      expect(await storage().getJob(message('second'))).toBeNull();
    });

    it('its states follow it out, and the gateway’s ids are kept in order', async () => {
      await queue(message('out', { parts: 2 }));
      await change('out', 'sending', { error: 'busy' });
      expect(await storage().getMessage(message('out'))).toMatchObject({ state: 'sending', error: 'busy' });
      await change('out', 'sent', { gatewayIds: ['g1', 'g2'] });
      expect(await storage().getMessage(message('out'))).toMatchObject({
        state: 'sent',
        error: null,
        sentAtMs: 2000,
        gatewayIds: ['g1', 'g2'],
      });
    });

    it('keeps 500 characters of an error', async () => {
      await queue(message('long'));
      const error = async () => (await storage().getMessage(message('long')))?.error;
      await change('long', 'sent', { error: 'a'.repeat(501), gatewayIds: ['long1'] });
      expect(await error()).toBe('a'.repeat(500));
      await receipt('long1', 'failed', 'b'.repeat(501));
      expect(await error()).toBe('b'.repeat(500));
    });

    it('is delivered when all its parts are, and failed when one is', async () => {
      await queue(message('both', { parts: 2 }), message('half', { parts: 2 }));
      await change('both', 'sent', { gatewayIds: ['b1', 'b2'] });
      await change('half', 'sent', { gatewayIds: ['h1', 'h2'] });
      expect(await receipt('b2', 'delivered')).toEqual({ unknown: [] });
      expect(await state('both')).toBe('sent');
      await receipt('b1', 'delivered');
      expect(await state('both')).toBe('delivered');
      await receipt('h1', 'failed', 'absent\0');
      await receipt('h2', 'delivered');
      expect(await storage().getMessage(message('half'))).toMatchObject({
        state: 'failed',
        error: 'absent\ufffd',
      });
      expect(await receipt('nobody', 'delivered')).toEqual({ unknown: ['nobody'] });
    });

    it('a receipt of the network is not overwritten by a late attempt', async () => {
      await queue(message('late'));
      await change('late', 'sent', { gatewayIds: ['l1'] });
      await receipt('l1', 'delivered');
      await change('late', 'sending');
      expect(await state('late')).toBe('delivered');
      await queue(message('early'));
      const settle = (state: 'failed' | 'delivered') =>
        storage().changeMessages({ changes: [{ accountId: 'texts', id: 'early', state }], atMs: 2000 });
      await settle('failed');
      await change('early', 'sent', { gatewayIds: ['e1'] });
      expect(await state('early')).toBe('failed');
      await settle('delivered');
      expect(await state('early')).toBe('delivered');
    });

    it('a message whose job is dead has failed', async () => {
      await queue(message('given up'));
      await change('given up', 'sending');
      const claimed = await storage().claimJobs({
        lane: 'sms',
        worker: 'w',
        nowMs: 1000,
        leaseMs: 1000,
        limit: 1000,
      });
      const job = claimed.find(({ id }) => id === 'given up');
      const { accountId, id, attempts } = job ?? { accountId: '', id: '', attempts: 0 };
      const results = [
        { accountId, id, attempts, outcome: 'dead', error: 'There was no answer in time.' } as const,
      ];
      await storage().settleJobs({ worker: 'w', nowMs: 1500, results });
      expect(await storage().getMessage(message('given up'))).toMatchObject({
        state: 'failed',
        error: 'There was no answer in time.',
      });
    });

    it('lists are newest first and filtered by state, recipient, call and time', async () => {
      const at = (id: string, createdAtMs: number, more: Partial<NewMessage> = {}) =>
        message(id, { accountId: 'listed', createdAtMs, ...more });
      await queue(
        at('1', 10),
        at('2', 20, { to: '+1', callId: 'c' }),
        at('3', 30),
        message('0', { to: '+1' }),
      );
      const list = async (more: object) =>
        (await storage().listMessages({ accountId: 'listed', limit: 10, ...more }))
          .map(({ id }) => id)
          .join();
      expect(await list({})).toBe('3,2,1');
      expect(await list({ limit: 1, before: '3' })).toBe('2');
      expect(await list({ to: ['001', '+1'] })).toBe('2');
      expect(await list({ callId: 'c', state: 'queued' })).toBe('2');
      expect(await list({ state: 'sent' })).toBe('');
      expect(await list({ fromMs: 20, untilMs: 30 })).toBe('2');
    });

    it('old messages are deleted in batches, with their parts', async () => {
      const old = (id: string) => message(id, { createdAtMs: -1000 });
      await queue(old('old1'), old('old2'), old('old3'));
      await change('old1', 'sent', { gatewayIds: ['gone'] });
      expect(await storage().forgetMessages({ beforeMs: 0, limit: 2 })).toEqual({ forgotten: 2 });
      expect(await storage().forgetMessages({ beforeMs: 0, limit: 2 })).toEqual({ forgotten: 1 });
      expect(await receipt('gone', 'delivered')).toEqual({ unknown: ['gone'] });
    });
  });
}
