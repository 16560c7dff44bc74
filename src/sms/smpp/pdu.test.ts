import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COMMANDS, MAX_PDU_BYTES, PduReader, submitBody, TAGS, tagged, writePdu } from './pdu.ts';
import { readReceipt } from './receipt.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 1000);

describe('PDUs', () => {
  test('come out whole, however the bytes arrive', () => {
    const pdu = fc.record({
      command: fc.integer({ min: 0, max: 0xffffffff }),
      status: fc.integer({ min: 0, max: 0xffffffff }),
      sequence: fc.integer({ min: 0, max: 0xffffffff }),
      body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(
        fc.array(pdu, { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (pdus, sizes) => {
          const bytes = Buffer.concat(
            pdus.map(({ command, status, sequence, body }) => writePdu(command, status, sequence, body)),
          );
          const reader = new PduReader();
          const read = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value ?? 1;
            read.push(...reader.push(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(read.map((one) => ({ ...one, body: Buffer.from(one.body) }))).toEqual(pdus);
          expect(reader.fault).toBeNull();
        },
      ),
      { numRuns: RUNS / 4 },
    );
  });

  test.each([0, 15, MAX_PDU_BYTES + 1, 0xffffffff])(
    'of %i bytes are refused before they are held',
    (length) => {
      const head = Buffer.alloc(16);
      head.writeUInt32BE(length, 0);
      const reader = new PduReader();
      expect(reader.push(head)).toEqual([]);
      expect(reader.fault).toBe(`a PDU of ${length} bytes`);
      expect(reader.push(writePdu(COMMANDS.enquire_link, 0, 1))).toEqual([]);
    },
  );
});

/** A deliver_sm has the same fields as a submit_sm, up to its tags. */
const delivery = (text: string, { esmClass = 4, tags = [] as Buffer[] } = {}): Buffer =>
  submitBody({
    source: { ton: 1, npi: 1, text: '4915112345678' },
    destination: { ton: 0, npi: 0, text: '100' },
    esmClass,
    dataCoding: 0,
    message: Buffer.from(text, 'latin1'),
    tags,
  });

describe('a receipt', () => {
  const LONG = 'sub:001 dlvrd:000 submit date:2611150900 done date:2611150901';

  test.each([
    [`id:AB12 ${LONG} stat:DELIVRD err:000 text:hi`, { gatewayId: 'AB12', state: 'delivered', error: null }],
    [`id:7 ${LONG} stat:UNDELIV err:01B`, { gatewayId: '7', state: 'failed', error: 'UNDELIV, error 01B' }],
    ['ID:7 STAT:Unknown', { gatewayId: '7', state: 'unknown', error: 'Unknown' }],
    [`id:7 ${LONG} stat:ENROUTE err:000`, null],
    ['stat:DELIVRD', null],
    [`id:${'9'.repeat(80)} stat:DELIVRD`, { gatewayId: '9'.repeat(65), state: 'delivered', error: null }],
    ['id:7 stat:constructor', null],
    ['', null],
  ])('in the words of the network is read: %s', (text, receipt) => {
    expect(readReceipt(delivery(text))).toEqual(receipt);
  });

  test('in tagged parameters counts before its words', () => {
    const tags = [
      tagged(TAGS.receipted_message_id, Buffer.from('tagged\0')),
      tagged(TAGS.message_state, Buffer.of(5)),
    ];
    expect(readReceipt(delivery('id:other stat:DELIVRD', { tags }))).toMatchObject({
      gatewayId: 'tagged',
      state: 'failed',
    });
  });

  test('is not what a telephone sent, even when it reads like one', () => {
    expect(readReceipt(delivery('id:7 stat:DELIVRD', { esmClass: 0 }))).toBeNull();
  });

  test('of any bytes, or cut anywhere, is read without a throw', () => {
    const whole = delivery(`id:AB12 ${LONG} stat:DELIVRD err:000`, {
      tags: [tagged(0x1400, Buffer.from('x'))],
    });
    for (let length = 0; length < whole.length; length++) readReceipt(whole.subarray(0, length));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(whole.length), (bytes, at) => {
        readReceipt(Buffer.from(bytes));
        readReceipt(Buffer.concat([whole.subarray(0, at), bytes]));
      }),
      { numRuns: RUNS },
    );
  });
});
