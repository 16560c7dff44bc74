// A phone in a web page has a session of some minutes, not the agent's password: it registers beside the phones that have it.
import { describe, expect, it } from 'vitest';
import { NEW_CONTACTS } from './new-contacts.ts';
import { Registrar } from './registrar.ts';
import { FakeTransactions } from './testing/fake-transactions.ts';
import { FakeTransports, PEER_FLOW, write } from './testing/test-bed.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';
import type { Reply } from './transactions/transactions.ts';
import type { TransportFlow } from './transports/transport.ts';

const WEB_FLOW: TransportFlow = { ...PEER_FLOW, protocol: 'ws', connection: 2 ** 40 + 1 };
const INSTANCE = '+sip.instance="<urn:uuid:1>"';
const DESK = 'sip:1001@192.0.2.9:5060';

function bed() {
  const removedElsewhere: string[] = [];
  const registrar = new Registrar({
    timers: new VirtualTimers(),
    transactions: new FakeTransactions(),
    transports: new FakeTransports(),
    pingMs: 0,
    unknownRemoved: (_, key) => removedElsewhere.push(key),
  });
  let seq = 0;
  const by =
    (flow: TransportFlow) =>
    (...headers: readonly string[]): Reply =>
      registrar.register(write('REGISTER', { seq: ++seq, headers }), flow, 'one');
  const protocols = (): string[] => registrar.bindingsOf('one').map(({ flow }) => flow.protocol);
  return { registrar, removedElsewhere, desk: by(PEER_FLOW), web: by(WEB_FLOW), protocols };
}

const contactsIn = (reply: Reply): string[] =>
  (reply.headers ?? []).filter(([name]) => name === 'contact').map(([, value]) => value);

describe('a phone in a web page', () => {
  it.each([
    ['URI', `Contact: <${DESK}>`, `Contact: <${DESK}>`],
    ['instance', `Contact: <${DESK}>;${INSTANCE}`, `Contact: <sip:x@a.invalid>;${INSTANCE}`],
  ])('neither removes nor takes over a desk phone by its %s', (_, desk, contact) => {
    const all = bed();
    expect(all.desk(desk).status).toBe(200);
    expect(all.web(`${contact};expires=0`).status).toBe(200);
    expect(all.protocols()).toEqual(['udp']);
    expect(all.web(`${contact};expires=3600`).status).toBe(200);
    expect(all.protocols().toSorted()).toEqual(['udp', 'ws']);
    expect(all.registrar.bindingsOf('one').find(({ flow }) => flow.protocol === 'udp')?.contact).toBe(DESK);
    expect(all.removedElsewhere).toEqual([]);
  });

  it('removes no desk phone by *, nor does a desk phone remove it', () => {
    const all = bed();
    all.desk(`Contact: <${DESK}>`);
    all.web('Contact: <sip:x@a.invalid>');
    expect(all.web('Contact: *', 'Expires: 0').status).toBe(200);
    expect(all.protocols()).toEqual(['udp']);
    all.web('Contact: <sip:x@a.invalid>');
    all.desk('Contact: *', 'Expires: 0');
    expect(all.protocols()).toEqual(['ws']);
  });

  it('is told of phones in web pages alone', () => {
    const all = bed();
    all.desk(`Contact: <${DESK}>`);
    const [own, ...others] = contactsIn(all.web('Contact: <sip:x@a.invalid>'));
    expect([own?.startsWith('<sip:x@a.invalid>'), others]).toEqual([true, []]);
    expect(contactsIn(all.desk(`Contact: <${DESK}>`))).toHaveLength(1);
  });

  it('displaces no desk phone, however many contacts it registers, and uses up none of their new contacts', () => {
    const all = bed();
    all.desk(`Contact: <${DESK}>`);
    const statuses = Array.from(
      { length: NEW_CONTACTS + 1 },
      (_, at) => all.web(`Contact: <sip:${at}@a.invalid>`).status,
    );
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]));
    expect(statuses.at(-1)).toBe(503);
    expect(all.protocols().filter((protocol) => protocol === 'udp')).toHaveLength(1);
    expect(all.protocols().filter((protocol) => protocol === 'ws')).toHaveLength(10);
    expect(all.desk('Contact: <sip:another@192.0.2.9:5070>').status).toBe(200);
  });
});
