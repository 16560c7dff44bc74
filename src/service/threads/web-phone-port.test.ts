import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { WebPhone } from '../../telephony/ports/web-phone.ts';
import { MOST_WAITING, WaitingMessages, WebPhonePort, WebSocketPort } from './web-phone-port.ts';

const ENDS = { local: { address: '0.0.0.0', port: 80 }, remote: { address: '127.0.0.1', port: 4242 } };
const PHONE: WebPhone = {
  id: 's',
  user: 'web-1',
  md5: '',
  sha256: '',
  peer: { kind: 'phone', id: 'a 1' },
  caller: '1001',
};
let channel = new MessageChannel();
afterEach(() => channel.port1.close());

function bed() {
  channel = new MessageChannel();
  const waiting = new WaitingMessages();
  const api = new WebPhonePort(channel.port1, waiting);
  const telephones = new WebSocketPort(channel.port2, new WaitingMessages(waiting.memory));
  const heard: unknown[] = [];
  telephones.deliverTo({
    opened: (id, ends, grant) => void heard.push({ opened: id, ends, grant }),
    received: (id, bytes) => void heard.push({ received: id, text: bytes.toString() }),
    closed: (id, isOver) => void heard.push({ closed: id, isOver }),
  });
  const sent: unknown[] = [];
  api.deliverTo({
    send: (id, bytes) => void sent.push({ id, text: Buffer.from(bytes).toString() }),
    close: (id, code) => void sent.push({ close: id, code }),
  });
  return { api, telephones, heard, sent };
}

test('what browsers send reaches the telephone side in order, and its answers come back', async () => {
  const { api, telephones, heard, sent } = bed();
  api.opened(1, ENDS, PHONE);
  expect(api.received(1, Buffer.from('a message in a pooled buffer'))).toBe(true);
  api.closed(1, true);
  await expect.poll(() => heard).toHaveLength(3);
  expect(heard).toEqual([
    { opened: 1, ends: ENDS, grant: PHONE },
    { received: 1, text: 'a message in a pooled buffer' },
    { closed: 1, isOver: true },
  ]);
  expect(telephones.send(1, Buffer.from('an answer'))).toBe(true);
  telephones.close(1, 1008);
  await expect
    .poll(() => sent)
    .toEqual([
      { id: 1, text: 'an answer' },
      { close: 1, code: 1008 },
    ]);
});

test('what the other thread has not taken is bounded both ways, and may go on once it is taken', async () => {
  const { api, telephones, heard } = bed();
  for (let at = 0; at < MOST_WAITING; at++) expect(api.received(1, Buffer.from('x'))).toBe(true);
  expect(api.received(1, Buffer.from('too much'))).toBe(false);
  for (let at = 0; at < MOST_WAITING; at++) expect(telephones.send(1, Buffer.from('x'))).toBe(true);
  expect(telephones.send(1, Buffer.from('too much'))).toBe(false);
  expect(api.opened(2, ENDS, PHONE)).toBe(false);
  await expect.poll(() => heard.length).toBe(MOST_WAITING);
  for (let at = 0; at < MOST_WAITING; at++) expect(api.opened(2 + at, ENDS, PHONE)).toBe(true);
  expect(api.opened(1, ENDS, PHONE)).toBe(false);
  await expect.poll(() => heard.length).toBe(2 * MOST_WAITING);
  expect(api.received(1, Buffer.from('again'))).toBe(true);
});

test('ports that are idle keep no process alive', async () => {
  const { api } = bed();
  api.closed(1, true);
  channel.port1.close();
  await once(channel.port2, 'close');
});
