// The whole stack over real sockets: a phone registers, is called back on the flow it came by, answers, and hangs up.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resolveBy } from './dialogs/core.ts';
import { Registrar } from './registrar.ts';
import { Registration } from './registration.ts';
import { TargetResolver } from './resolve.ts';
import type { IncomingSession } from './session.ts';
import { Listener } from './testing/test-bed.ts';
import { TimerWheel } from './timers.ts';
import { TransactionLayer } from './transactions/layer.ts';
import { openTransports } from './transports/transports.ts';
import { ALLOWED, UserAgent } from './user-agent.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function open(protocol: 'udp' | 'tcp') {
  const errors: unknown[] = [];
  const failed = (error: unknown): void => void errors.push(error);
  const timers = new TimerWheel(failed);
  const listen = { protocol, host: '127.0.0.1', port: 0, hostVariable: 'SIP_HOST', portVariable: 'SIP_PORT' };
  const transports = await openTransports({ listen: [listen], timers, failed });
  const transactions = new TransactionLayer({ timers, transports, failed });
  const registrar = new Registrar({ transactions, transports, timers });
  const incoming: IncomingSession[] = [];
  const resolve = resolveBy(new TargetResolver());
  const agent = new UserAgent({
    transactions,
    transports,
    timers,
    resolve,
    callbacks: {
      admit: () => ALLOWED,
      incoming: (session) => void incoming.push(session),
      registering: (request, flow) => registrar.register(request, flow, 'phone'),
    },
  });
  transactions.deliverTo(agent);
  transports.deliverTo(transactions, {
    flowClosed: (flow) => {
      transactions.flowClosed(flow);
      registrar.flowClosed(flow);
    },
  });
  cleanUp.push(async () => {
    registrar.close();
    transactions.close();
    await transports.close();
    timers.close();
  });
  const port = transports.listening[0]?.local.port ?? 0;
  return { agent, transports, transactions, timers, resolve, registrar, incoming, errors, port };
}

const soon = { timeout: 5000, interval: 5 };

describe.each(['udp', 'tcp'] as const)('over %s', (protocol) => {
  it('a registered phone is called, answers and hangs up', async () => {
    const server = await open(protocol);
    const phone = await open(protocol);
    const registration = new Registration({
      ...phone,
      transports: phone.transports,
      host: '127.0.0.1',
      port: server.port,
      protocol,
      credentials: { username: 'phone', password: '' },
    });
    await vi.waitFor(() => expect(registration.state.registered).toBe(true), soon);
    const [binding] = server.registrar.bindingsOf('phone');
    if (binding === undefined) throw new Error('not registered');

    const listener = new Listener();
    server.agent.call({
      target: { uri: binding.contact, flow: binding.flow },
      from: 'sip:server@127.0.0.1',
      callerName: 'Switch',
      sdp: Buffer.from('offer'),
      events: listener,
    });
    await vi.waitFor(() => expect(phone.incoming.length).toBe(1), soon);
    const [session] = phone.incoming;
    const heard = new Listener();
    session?.listen(heard);
    session?.progress(180);
    session?.answer(Buffer.from('answer'));
    await vi.waitFor(() => expect(heard.log).toEqual(['confirmed']), soon);
    session?.hangUp('Q.850;cause=16');
    await vi.waitFor(() => expect(listener.ends.length).toBe(1), soon);
    expect(listener.log).toEqual(['progressed 180', 'answered answer', 'ended by peer null 16']);
    await vi.waitFor(() => expect(phone.agent.sessions).toBe(0), soon);
    expect(server.agent.sessions).toBe(0);

    await registration.close();
    expect(server.registrar.count).toBe(0);
    expect([...server.errors, ...phone.errors]).toEqual([]);
  });
});

describe('over tcp', () => {
  it('a phone whose connection breaks is forgotten', async () => {
    const server = await open('tcp');
    const phone = await open('tcp');
    const registration = new Registration({
      ...phone,
      host: '127.0.0.1',
      port: server.port,
      protocol: 'tcp',
      credentials: { username: 'phone', password: '' },
    });
    await vi.waitFor(() => expect(registration.state.registered).toBe(true), soon);
    await phone.transports.close();
    await vi.waitFor(() => expect(server.registrar.count).toBe(0), soon);
  });
});
