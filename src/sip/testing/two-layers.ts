// Two layers on a virtual network, for tests.
import { expect } from 'vitest';
import type { SipRequest, SipResponse } from '../message.ts';
import { TransactionLayer } from '../transactions/layer.ts';
import type { ServerTransaction, TransactionUser } from '../transactions/transactions.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { VirtualNetwork, type VirtualNode } from './virtual-network.ts';
import { VirtualTimers } from './virtual-timers.ts';

type Answer = (transaction: ServerTransaction, request: SipRequest) => void;

/** Responds as the test says and remembers what it received. */
export class TestUser implements TransactionUser {
  readonly notified: string[] = [];
  readonly transactions: ServerTransaction[] = [];
  answer: Answer;
  constructor(answer: Answer) {
    this.answer = answer;
  }
  received(request: SipRequest, transaction: ServerTransaction): void {
    this.notified.push(request.method);
    this.transactions.push(transaction);
    this.answer(transaction, request);
  }
  cancelled(transaction: ServerTransaction): void {
    this.notified.push('CANCEL');
    transaction.respond({ status: 487, toTag: 'b1' });
  }
  acknowledged(): void {
    this.notified.push('ACK');
  }
}

interface Side {
  readonly node: VirtualNode;
  readonly layer: TransactionLayer;
  readonly user: TestUser;
}

export function setUp(protocol: 'udp' | 'tcp' = 'udp', maxTransactions = 1000) {
  const timers = new VirtualTimers();
  const network = new VirtualNetwork(timers);
  const errors: unknown[] = [];
  const side = (address: string): Side => {
    const node = network.node(address, protocol);
    const failed = (error: unknown) => void errors.push(error);
    const layer = new TransactionLayer({ timers, transports: node, failed, maxTransactions });
    const user = new TestUser((transaction) => transaction.respond({ status: 200, toTag: 'b1' }));
    node.user = layer;
    layer.deliverTo(user);
    return { node, layer, user };
  };
  const a = side('10.0.0.1');
  const b = side('10.0.0.2');
  const flow = a.node.flow(b.node);
  const heard: (number | string)[] = [];
  const events = {
    responded: (response: SipResponse, _flow: TransportFlow) => void heard.push(response.status),
    failed: (why: string) => void heard.push(why),
  };
  const rest = () => {
    timers.advance(70_000);
    expect([a.layer.count, b.layer.count, timers.count]).toEqual([0, 0, 0]);
  };
  return { timers, network, errors, a, b, flow, heard, events, rest };
}
