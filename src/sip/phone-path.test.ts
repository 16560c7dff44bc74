import { expect, test } from 'vitest';
import type { Binding } from './bindings.ts';
import { isBrowserPhone, isWorthAsking } from './phone-path.ts';
import { PEER_FLOW } from './testing/test-bed.ts';

const path = [{ display: '', uri: 'sip:192.0.2.5;lr', params: new Map() }];
const TCP = { ...PEER_FLOW, protocol: 'tcp', connection: 7 } as const;

test.each([
  ['an edge before it', { contact: 'sip:a@10.0.0.7', path, flow: TCP }, true],
  ['its own address in its Contact', { contact: 'sip:a@192.0.2.9:5060', path: [], flow: PEER_FLOW }, true],
  ['its own address, the usual port', { contact: 'sip:a@192.0.2.9', path: [], flow: PEER_FLOW }, true],
  ['another port in its Contact', { contact: 'sip:a@192.0.2.9:5070', path: [], flow: PEER_FLOW }, false],
  ['an address behind NAT', { contact: 'sip:a@10.0.0.7:5060', path: [], flow: PEER_FLOW }, false],
  ['a connection to another node', { contact: 'sip:a@192.0.2.9:5060', path: [], flow: TCP }, false],
])('a phone of another node with %s: is it asked? %o: %s', (_, parts, asked) => {
  expect(isWorthAsking(parts as unknown as Binding)).toBe(asked);
});

const WS = { ...PEER_FLOW, protocol: 'ws', connection: 2 ** 40 + 1 } as const;

test.each([
  ['a WebSocket to us, and no transport in its Contact', 'sip:a@page.invalid', WS, true],
  ['a WebSocket to us, and UDP in its Contact', 'sip:a@192.0.2.9;transport=udp', WS, true],
  ['a WebSocket to an edge that we reach by TCP', 'sip:a@x.invalid;transport=ws', TCP, true],
  ['a WebSocket to an edge, in capital letters', 'sip:a@page.invalid;transport=WSS', PEER_FLOW, true],
  ['TCP', 'sip:a@192.0.2.9;transport=tcp', TCP, false],
  ['UDP', 'sip:a@192.0.2.9:5060', PEER_FLOW, false],
])('a phone with %s is a browser or not', (_, contact, flow, isBrowser) => {
  expect(isBrowserPhone({ contact, flow })).toBe(isBrowser);
});
