import { expect, it } from 'vitest';
import { Registrar } from './registrar.ts';
import { FakeTransactions } from './testing/fake-transactions.ts';
import { FakeTransports, PEER_FLOW, write } from './testing/test-bed.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';

it('a Path that names an edge is refused from a phone that came by none: other nodes would believe it', () => {
  const registrar = new Registrar({
    timers: new VirtualTimers(),
    transactions: new FakeTransactions(),
    transports: new FakeTransports(),
    pingMs: 0,
    isEdge: (address) => address === '10.0.0.5',
  });
  let seq = 0;
  const register = (path: string): number | undefined => {
    const headers = ['Contact: <sip:a@192.168.1.5>', 'Supported: path', `Path: ${path}`];
    return registrar.register(write('REGISTER', { seq: ++seq, headers }), PEER_FLOW, 'one').status;
  };
  for (const path of ['<sip:10.0.0.5;lr>', '<sip:p.example;lr>, <sip:10.0.0.5:5070;lr>'])
    expect(register(path)).toBe(403);
  expect(registrar.bindingsOf('one')).toEqual([]);
  expect(register('<sip:10.0.0.6;lr>')).toBe(200);
  registrar.close();
});
