// Against an SMSC by another hand, in a process of its own.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Smsc, startSmsc } from '../../../test/support/smsc/smsc.ts';
import type { Receipt } from '../../domain/sms-message.ts';
import { systemClock } from '../../kit/clock.ts';
import type { OutgoingSms } from '../gateway.ts';
import { SmppGateway, type SmppOptions } from './smpp-gateway.ts';

let smsc: Smsc;
let gateways: SmppGateway[];
let receipts: Receipt[];
let logged: string[];
beforeEach(async () => {
  smsc = await startSmsc();
  gateways = [];
  receipts = [];
  logged = [];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  await smsc.stop();
});

function open(changes: Partial<SmppOptions> = {}): SmppGateway {
  const gateway = new SmppGateway(
    {
      host: '127.0.0.1',
      port: smsc.port,
      tls: false,
      systemId: 'dialtree',
      password: 'secret',
      systemType: '',
      sender: 'Dialtree',
      window: 10,
      idTag: 0x1400,
      ...changes,
    },
    {
      received: async (some) => void receipts.push(...some),
      log: (_, text) => void logged.push(text),
    },
    systemClock,
  );
  gateways.push(gateway);
  return gateway;
}

const soon = (holds: () => void) => vi.waitFor(holds, { interval: 10 });
const bound = (gateway: SmppGateway) => soon(() => expect(gateway.isBound).toBe(true));
const sms = (changes: Partial<OutgoingSms> = {}): OutgoingSms => ({
  id: '0198c0de-0000-7000-8000-000000000001',
  to: '+4915112345678',
  text: 'Grüße €5 [x]',
  kind: 'transactional',
  ...changes,
});
const never = new AbortController().signal;

describe('an SMSC', () => {
  test('is bound to, and takes a text in the GSM alphabet with our id', async () => {
    const gateway = open();
    await bound(gateway);
    await soon(() => expect(smsc.binds).toMatchObject([{ right: true, version: 0x34 }]));
    const result = await gateway.send(sms(), never);
    // What the other process took is reported beside the connection, and may come after its answer.
    await soon(() => expect(smsc.submitted).toHaveLength(1));
    expect(smsc.submitted).toMatchObject([
      {
        id: sms().id,
        to: '4915112345678',
        toType: 1,
        from: 'Dialtree',
        fromType: 5,
        coding: 0,
        receipt: 1,
        text: 'Grüße €5 [x]',
        header: [],
      },
    ]);
    expect(result).toEqual({ sent: [smsc.submitted[0]?.messageId] });
  });

  test('gets long texts in parts of one reference, the same with every try', async () => {
    const gateway = open();
    await bound(gateway);
    for (const text of ['a€'.repeat(200), 'жё😀'.repeat(40)]) {
      smsc.submitted.length = 0;
      const tries = [await gateway.send(sms({ text }), never), await gateway.send(sms({ text }), never)];
      const sent = tries.flatMap((result) => ('sent' in result ? result.sent : []));
      await soon(() => expect(smsc.submitted).toHaveLength(sent.length));
      const parts = smsc.submitted.slice(0, smsc.submitted.length / 2);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      expect(new Set(smsc.submitted.map(({ id }) => id))).toEqual(new Set([sms().id]));
      const headers = smsc.submitted.map(({ header }) => header.join(''));
      expect(headers.slice(parts.length)).toEqual(headers.slice(0, parts.length));
      expect(new Set(headers).size).toBe(parts.length);
    }
  });

  test('that takes no more in the middle of a long text is sent the rest later, not all of it again', async () => {
    const gateway = open();
    await bound(gateway);
    await smsc.tell({ type: 'statuses', statuses: [0, 0x58] });
    const text = 'abc '.repeat(100);
    expect(await gateway.send(sms({ text }), never)).toMatchObject({ afterMs: 5000 });
    expect(await gateway.send(sms({ text }), never)).toEqual({ sent: expect.any(Array) });
    const taken = () => smsc.submitted.filter(({ status }) => status === 0).map((part) => part.text);
    await soon(() => expect(taken()).toHaveLength(3));
    expect(taken().join('')).toBe(text);
  });

  test('reports the delivery, and is answered once that is stored', async () => {
    const gateway = open();
    await bound(gateway);
    await smsc.tell({ type: 'behave', behaviour: { receipts: 'DELIVRD' } });
    const first = await gateway.send(sms(), never);
    await smsc.tell({ type: 'behave', behaviour: { receipts: 'UNDELIV' } });
    const second = await gateway.send(sms(), never);
    await soon(() => expect(smsc.receiptsTaken).toEqual([0, 0]));
    const ids = [first, second].map((result) => ('sent' in result ? result.sent[0] : ''));
    expect(receipts).toEqual([
      { gatewayId: ids[0], state: 'delivered', error: null },
      { gatewayId: ids[1], state: 'failed', error: 'UNDELIV, error 000' },
    ]);
  });

  test.each([
    ['throttled', 0x58, { retry: expect.stringContaining('no more for now'), afterMs: 5000 }],
    ['with a full queue', 0x14, { retry: expect.stringContaining('0x00000014'), afterMs: 5000 }],
    ['ailing', 0x08, { retry: expect.stringContaining('0x00000008') }],
    ['sure that there is no such number', 0x0b, { failed: expect.stringContaining('no such recipient') }],
  ])('that is %s is understood', async (_, status, result) => {
    const gateway = open();
    await bound(gateway);
    await smsc.tell({ type: 'statuses', statuses: [status] });
    expect(await gateway.send(sms(), never)).toEqual(result);
    expect(await gateway.send(sms(), never)).toMatchObject({ sent: [expect.any(String)] });
  });

  test('that refuses our password is tried again, and the password is not logged', async () => {
    const gateway = open({ password: 'wrong' });
    await soon(() => expect(smsc.binds.length).toBeGreaterThan(1));
    expect(await gateway.send(sms(), never)).toEqual({ retry: 'There is no connection to the SMSC.' });
    expect(logged.join()).toContain('it refused us (0xe)');
    expect(logged.join()).not.toContain('wrong');
  });

  test('that goes away and comes back is bound to again', async () => {
    const gateway = open();
    await bound(gateway);
    const { port } = smsc;
    await smsc.tell({ type: 'behave', behaviour: { silent: true } });
    const sending = gateway.send(sms(), never);
    await soon(() => expect(smsc.submitted).toHaveLength(1));
    await smsc.stop();
    expect(await sending).toEqual({ retry: 'The SMSC did not answer.' });
    expect(gateway.isBound).toBe(false);
    smsc = await startSmsc(port);
    await bound(gateway);
    expect(await gateway.send(sms(), never)).toMatchObject({ sent: [expect.any(String)] });
  });

  test('is sent no more at once than the window holds', async () => {
    const gateway = open({ window: 3 });
    await bound(gateway);
    await smsc.tell({ type: 'behave', behaviour: { silent: true } });
    const giveUp = new AbortController();
    const all = Array.from({ length: 10 }, () => gateway.send(sms(), giveUp.signal));
    await soon(() => expect(smsc.submitted).toHaveLength(3));
    // Its answer comes after whatever else it was sent.
    await smsc.tell({ type: 'statuses', statuses: [] });
    expect(smsc.submitted).toHaveLength(3);
    giveUp.abort();
    expect((await Promise.all(all.slice(3))).map((result) => 'retry' in result)).not.toContain(false);
  });

  test('that does not speak SMPP is disconnected', async () => {
    const wild = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await new Promise<void>((resolve) => wild.listen(0, '127.0.0.1', resolve));
    open({ port: (wild.address() as AddressInfo).port });
    await soon(() => expect(logged.join()).toContain('cannot be used'));
    for (const gateway of gateways) await gateway.close();
    wild.close();
  });
});
