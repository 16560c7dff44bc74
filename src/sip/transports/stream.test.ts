import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { VirtualTimers } from '../testing/virtual-timers.ts';
import { STREAM_LIMITS, Stream, type StreamOwner } from './stream.ts';

const limits = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8');
const { connections, perAddress, strangersPerNetwork, perOwner, perTrunkOwner } = STREAM_LIMITS;
const { unauthenticatedMs, idleMs, messageMs } = STREAM_LIMITS;

test.each([
  ['handshakes included', `${connections.toLocaleString('en')}, of these ${perAddress} from one address`],
  [
    'that are not authenticated',
    `${unauthenticatedMs / 1_000} s each; ${strangersPerNetwork} from one network`,
  ],
  ['from the trunks of one account', `${perTrunkOwner}`],
  ['that one agent authenticates', `${perOwner}`],
  ['without a message or keep-alive', `${idleMs / 3_600_000} h`],
  ['a SIP message over TCP or TLS', `complete within ${messageMs / 1_000} s`],
])('docs/limits.md has the limit of TCP and TLS connections: %s', (what, limit) => {
  const row = limits.split('\n').find((line) => line.includes(what) && line.includes('STREAM_LIMITS'));
  const [, , documented = ''] = row?.split('|') ?? [];
  expect(documented.replace(/ \(.*\)/, '').trim()).toBe(limit);
});

test('a connection that is closed for a fault is reported as closed once', () => {
  const socket = Object.assign(new EventEmitter(), {
    writable: true,
    writableLength: 0,
    setKeepAlive: () => undefined,
    write: () => true,
    destroySoon: () => undefined,
    destroy: () => undefined,
  });
  const closed = vi.fn();
  const inbound = { refuse: vi.fn() };
  const owner = { timers: new VirtualTimers(), limits: STREAM_LIMITS, inbound, closed };
  new Stream(socket as unknown as Socket, 'tcp', 1, owner as unknown as StreamOwner, false);
  socket.emit('data', Buffer.from('OPTIONS sip:a SIP/2.0\r\nX-A: 1\r\n\r\n'));
  expect(inbound.refuse).toHaveBeenCalledOnce();
  socket.emit('close');
  expect(closed).toHaveBeenCalledOnce();
});
