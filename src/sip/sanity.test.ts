import { expect, it } from 'vitest';
import { ABILITIES } from './dialogs/capabilities.ts';
import { refusal } from './sanity.ts';
import { type Writing, write } from './testing/test-bed.ts';

const refused = (method: string, writing: Writing = {}) => refusal(write(method, writing), ABILITIES);

it.each<[string, Writing]>([
  ['INVITE', { body: 'v=0' }],
  ['INVITE', { uri: 'sips:a@192.0.2.1' }],
  ['INVITE', { uri: 'tel:+4930123' }],
  ['INVITE', { headers: ['Require: timer, 100REL'] }],
  ['INVITE', { headers: ['Content-Encoding: Identity'], body: 'v=0' }],
  ['INVITE', { headers: ['Content-Disposition: session;handling=optional'], body: 'x', type: 'text/plain' }],
  ['INVITE', { body: 'v=0', type: 'Application/SDP ; charset=utf-8' }],
  ['INVITE', { headers: ['Accept: text/plain, application/*'] }],
  // Without a body there is nothing to decode.
  ['INVITE', { headers: ['Content-Encoding: gzip'] }],
  ['ACK', { uri: 'mailto:a@b' }],
  ['CANCEL', { headers: ['Require: foo'] }],
])('%s is processed: %o', (method, writing) => {
  expect(refused(method, writing)).toBeNull();
});

it.each<[number, string, Writing]>([
  [405, 'MESSAGE', {}],
  [501, 'JUMP', {}],
  [416, 'INVITE', { uri: 'mailto:a@b' }],
  [420, 'INVITE', { headers: ['Require: timer, foo'] }],
  [415, 'INVITE', { headers: ['Content-Encoding: gzip'], body: 'v=0' }],
  [415, 'INVITE', { body: 'x', type: 'text/plain' }],
  [406, 'INVITE', { headers: ['Accept: text/plain'] }],
])('%d refuses %s: %o', (status, method, writing) => {
  expect(refused(method, writing)?.status).toBe(status);
});

it('says in a refusal what is missing or understood', () => {
  expect(refused('INVITE', { headers: ['Require: timer, foo, bar'] })?.headers).toEqual([
    ['unsupported', 'foo, bar'],
  ]);
  const encoded = refused('INVITE', { headers: ['Content-Encoding: gzip'], body: 'v=0' });
  expect(encoded?.headers).toEqual([
    ['accept', 'application/sdp, multipart/mixed, multipart/related, multipart/alternative'],
    ['accept-encoding', 'identity'],
  ]);
});
