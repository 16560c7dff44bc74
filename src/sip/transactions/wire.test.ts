// Transports and transactions together, over real sockets.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SipRequest } from '../message.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { TimerWheel } from '../timers.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { openTransports } from '../transports/transports.ts';
import { TransactionLayer } from './layer.ts';
import { testRequest } from './test-request.ts';
import type { ServerTransaction } from './transactions.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0)) await each();
});

const own = testCertificate('sip.example.org');
const tls = { ...own, authorities: [own.certificate] };

async function side(protocol: 'udp' | 'tcp' | 'tls') {
  const failed = (error: unknown) => {
    throw error;
  };
  const timers = new TimerWheel(failed);
  const listen = [
    { protocol, host: '127.0.0.1', port: 0, hostVariable: 'SIP_HOST', portVariable: 'SIP_PORT' },
  ];
  const transports = await openTransports({ listen, timers, failed, tls });
  const layer = new TransactionLayer({ timers, transports, failed });
  transports.deliverTo(layer);
  const notified: string[] = [];
  layer.deliverTo({
    received(request: SipRequest, transaction: ServerTransaction) {
      notified.push(request.method);
      if (request.uri.includes('busy')) transaction.respond({ status: 486 });
      else if (request.method === 'INVITE') {
        transaction.respond({ status: 180, toTag: 'b1' });
        setImmediate(() => transaction.respond({ status: 200, toTag: 'b1' }));
      } else transaction.respond({ status: 200 });
    },
    cancelled() {},
    acknowledged: (request) => void notified.push(request.method),
  });
  cleanUp.push(async () => {
    layer.close();
    await transports.close();
    expect([layer.count, timers.count]).toEqual([0, 0]);
  });
  return { transports, layer, notified, port: transports.listening[0]?.local.port ?? 0 };
}

type Side = Awaited<ReturnType<typeof side>>;

function ask(
  { layer }: Side,
  request: Omit<SipRequest, 'via'>,
  flow: TransportFlow,
): Promise<(number | string)[]> {
  const heard: (number | string)[] = [];
  return new Promise((resolve) => {
    layer.request(request, flow, {
      responded({ status }) {
        heard.push(status);
        if (status >= 200) resolve(heard);
      },
      failed(why) {
        resolve([...heard, why]);
      },
    });
  });
}

describe.each(['udp', 'tcp', 'tls'] as const)('over %s', (protocol) => {
  test('a call is set up and ended, another refused', async () => {
    const [a, b] = [await side(protocol), await side(protocol)];
    const flow = await a.transports.flowTo(protocol, { address: '127.0.0.1', port: b.port });
    const invite = testRequest('INVITE');
    expect(await ask(a, invite, flow)).toEqual([180, 200]);
    a.layer.sendAck(testRequest('ACK', { callId: invite.callId, toTag: 'b1' }), flow);
    expect(await ask(a, testRequest('BYE', { callId: invite.callId, toTag: 'b1', number: 2 }), flow)).toEqual(
      [200],
    );
    expect(await ask(a, { ...testRequest('INVITE'), uri: 'sip:busy@b.example' }, flow)).toEqual([486]);
    await vi.waitFor(() => expect(b.notified).toEqual(['INVITE', 'ACK', 'BYE', 'INVITE']));
  });
});

describe.each(['tcp', 'tls'] as const)('over %s', (protocol) => {
  test('a connection that is gone fails the request', async () => {
    const [a, b] = [await side(protocol), await side(protocol)];
    const flow = await a.transports.flowTo(protocol, { address: '127.0.0.1', port: b.port });
    await b.transports.close();
    expect(await ask(a, testRequest('OPTIONS'), flow)).toEqual(['transport']);
  });
});
