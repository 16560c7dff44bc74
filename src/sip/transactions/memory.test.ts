import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { TEST_FLOW } from '../testing/test-context.ts';
import { VirtualNetwork } from '../testing/virtual-network.ts';
import { VirtualTimers } from '../testing/virtual-timers.ts';
import { TimerWheel } from '../timers.ts';
import { TransactionLayer } from './layer.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('an answered transaction keeps its answer, not the text of its request', () => {
  const node = new VirtualNetwork(new VirtualTimers()).node('10.0.0.1');
  node.send = () => true;
  const timers = new TimerWheel(() => {});
  const layer = new TransactionLayer({ timers, transports: node, failed: () => {} });
  node.user = layer;
  layer.deliverTo({
    received: (_request, transaction) => transaction.respond({ status: 200, toTag: 'b1' }),
    cancelled() {},
    acknowledged() {},
  });
  const peer = new VirtualNetwork(new VirtualTimers()).node(TEST_FLOW.remote.address);
  const ask = (method: string, call: number) => {
    const text = [
      `${method} sip:600@b.example SIP/2.0`,
      `Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bK-a-long-branch-${method}-${call};rport`,
      `From: <sip:1001@a.example>;tag=a-long-tag-of-the-caller-${call}`,
      'To: <sip:600@b.example>',
      `Call-ID: a-long-identifier-of-the-call-${call}`,
      `CSeq: 1 ${method}`,
      `X-Fill: ${'x'.repeat(12_000)}`,
      'Content-Length: 0\r\n\r\n',
    ].join('\r\n');
    node.deliver(Buffer.from(text), peer);
  };
  for (let call = 0; call < 100; call++) for (const method of ['INVITE', 'BYE']) ask(method, call);
  const before = bytesHeld();
  for (let call = 100; call < 1_100; call++) for (const method of ['INVITE', 'BYE']) ask(method, call);
  expect(layer.count).toBe(2_200);
  // 1.8 MB when it was written; 27 MB with the text of the requests.
  expect(bytesHeld() - before).toBeLessThan(8_000_000);
  layer.close();
  expect([layer.count, timers.count]).toEqual([0, 0]);
});
