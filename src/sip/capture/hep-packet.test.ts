import { expect, test } from 'vitest';
import { readHep } from '../../../test/support/hep.ts';
import { packetWriter } from './hep-packet.ts';

const end = { address: '192.0.2.1', port: 5060 };
const message = { protocol: 'udp', source: end, destination: end, atUs: 1, callId: 'c' } as const;
const write = packetWriter({ id: 1, password: undefined, name: undefined });

test('the largest packet is the largest datagram of UDP over IPv4', () => {
  const overhead = write({ ...message, payload: Buffer.alloc(0) })?.length ?? 0;
  expect(write({ ...message, payload: Buffer.alloc(65_507 - overhead) })).toHaveLength(65_507);
  expect(write({ ...message, payload: Buffer.alloc(65_508 - overhead) })).toBeNull();
});

test('an address of another family than the packet stays 0', () => {
  const six = { address: '2001:db8::1', port: 5060 };
  const read = readHep(write({ ...message, destination: six, payload: Buffer.from('x') }) ?? Buffer.alloc(0));
  expect(read).toMatchObject({ family: 2, from: '192.0.2.1 5060', to: '0.0.0.0 5060' });
});
