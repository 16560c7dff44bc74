// What a machine stands on in its test: it writes down everything the machine does, and when.
import type { SipResponse } from '../message.ts';
import { parseMessage } from '../parse.ts';
import {
  GIVE_UP_MS,
  type InviteClientContext,
  type ServerContext,
} from '../transactions/transaction-context.ts';
import type { TransportFlow } from '../transports/transport.ts';
import { VirtualTimers } from './virtual-timers.ts';

export const TEST_FLOW: TransportFlow = {
  protocol: 'udp',
  local: { address: '10.0.0.1', port: 5060 },
  remote: { address: '10.0.0.2', port: 5060 },
  connection: 0,
};

export class TestContext implements ServerContext, InviteClientContext {
  readonly timers = new VirtualTimers();
  readonly reliable: boolean;
  /** `time what`, in the order it happened. */
  readonly log: string[] = [];
  onTrying: () => void = () => {};

  constructor(reliable: boolean) {
    this.reliable = reliable;
  }

  #note(what: string): void {
    this.log.push(`${this.timers.now()} ${what}`);
  }
  send(bytes: Buffer): void {
    this.#note(bytes.toString());
  }
  trying(): void {
    this.#note('trying');
    this.onTrying();
  }
  responded(response: SipResponse): void {
    this.#note(`responded ${response.status}`);
  }
  failed(why: string): void {
    this.#note(`failed ${why}`);
  }
  ack(response: SipResponse): Buffer {
    return Buffer.from(`ACK ${response.status}`);
  }
  sendCancel(): void {
    this.#note('CANCEL');
  }
  retire(machine: { expired(): void }): void {
    this.timers.start(GIVE_UP_MS, () => machine.expired());
  }
  ended(): void {
    this.#note('ended');
  }
  /** What happened since the last time. */
  take(): string[] {
    return this.log.splice(0);
  }
}

export function testResponse(status: number, method = 'INVITE'): SipResponse {
  const text = [
    `SIP/2.0 ${status} X`,
    'Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKtest',
    'From: <sip:a@a.example>;tag=1',
    'To: <sip:b@b.example>;tag=2',
    'Call-ID: c',
    `CSeq: 1 ${method}`,
    'Content-Length: 0\r\n\r\n',
  ].join('\r\n');
  const message = parseMessage(Buffer.from(text));
  if (message.kind !== 'response') throw new Error('a test response is malformed');
  return message;
}
