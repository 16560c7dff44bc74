import { expect, it, vi } from 'vitest';
import { NEW_CONTACTS, NEW_CONTACTS_MS } from './new-contacts.ts';
import { Registrar, type RegistrarOptions } from './registrar.ts';
import { FakeTransactions } from './testing/fake-transactions.ts';
import { FakeTransports, PEER_FLOW, type Writing, write } from './testing/test-bed.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';
import type { Reply } from './transactions/transactions.ts';

class Bed {
  readonly timers = new VirtualTimers();
  readonly registrar: Registrar;
  #seq = 0;

  constructor(options: Partial<RegistrarOptions> = {}) {
    const { timers } = this;
    const [transactions, transports] = [new FakeTransactions(), new FakeTransports()];
    this.registrar = new Registrar({ timers, transactions, transports, pingMs: 0, ...options });
  }

  register(headers: readonly string[], writing: Writing = {}, id = 'one'): Reply {
    const request = write('REGISTER', { seq: ++this.#seq, headers, ...writing });
    return this.registrar.register(request, PEER_FLOW, id);
  }
}

it('refuses an id that registers new contacts all the time; refreshes, removals and other ids go on', () => {
  const removed = vi.fn();
  const unknownRemoved = vi.fn();
  const bed = new Bed({ removed, unknownRemoved });
  for (let index = 0; index < NEW_CONTACTS; index++)
    expect(bed.register([`Contact: <sip:a@192.0.2.9:${1000 + index}>`]).status).toBe(200);
  const refused = bed.register(['Contact: <sip:a@192.0.2.9:9>']);
  expect(refused).toMatchObject({ status: 503, headers: expect.arrayContaining([['retry-after', '10']]) });
  expect(bed.register(['Contact: <sip:a@192.0.2.9:9>', 'Expires: 0']).status).toBe(503);
  expect(unknownRemoved).not.toHaveBeenCalled();
  expect(removed).toHaveBeenCalledTimes(NEW_CONTACTS - 10);
  const last = `Contact: <sip:a@192.0.2.9:${1000 + NEW_CONTACTS - 1}>`;
  for (let turn = 0; turn < 50; turn++) expect(bed.register([last]).status).toBe(200);
  expect(bed.register([last, 'Expires: 0']).status).toBe(200);
  expect(bed.register(['Contact: <sip:b@192.0.2.9:9>'], {}, 'two').status).toBe(200);
  bed.timers.advance(NEW_CONTACTS_MS);
  expect(bed.register(['Contact: <sip:a@192.0.2.9:9>']).status).toBe(200);
});

it('removes no more unknown contacts by one REGISTER than an id may have', () => {
  const unknownRemoved = vi.fn();
  const bed = new Bed({ unknownRemoved });
  const contacts = Array.from({ length: 64 }, (_, index) => `<sip:a@192.0.2.9:${1000 + index}>`);
  expect(bed.register([`Contact: ${contacts.join(', ')}`, 'Expires: 0']).status).toBe(403);
  expect(unknownRemoved).not.toHaveBeenCalled();
  expect(bed.register([`Contact: ${contacts[0]}`, 'Expires: 0']).status).toBe(200);
  expect(unknownRemoved).toHaveBeenCalledOnce();
});

it('refuses a Call-ID or a Path that is too long to be stored', () => {
  const bed = new Bed();
  const path = (length: number): string => `Path: <sip:${'p'.repeat(length - 4)}>, <sip:edge>`;
  const contact = 'Contact: <sip:a@192.0.2.9>';
  expect(bed.register([contact, 'Supported: path', path(1_020)])).toMatchObject({
    status: 400,
    reason: 'Path too long',
  });
  expect(bed.register([contact], { callId: 'c'.repeat(1_025) })).toMatchObject({
    status: 400,
    reason: 'Call-ID too long',
  });
  expect(bed.registrar.count).toBe(0);
  expect(bed.register([contact, 'Supported: path', path(1_000)]).status).toBe(200);
});
