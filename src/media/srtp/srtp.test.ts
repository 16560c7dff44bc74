import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacSha1 } from './hmac-sha1.ts';
import { KeyStream } from './key-stream.ts';
import { PacketIndex, WINDOW } from './packet-index.ts';
import { derive } from './session-keys.ts';
import { REFUSED, SrtpReceiver, SrtpSender } from './srtp.ts';
import { isSuite, masterBytes, SUITES, type Suite, suiteNamed } from './suites.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const AES_128 = suiteNamed('AES_CM_128_HMAC_SHA1_80');
const AES_256 = suiteNamed('AES_256_CM_HMAC_SHA1_80');

describe('the vectors of the RFCs', () => {
  it('has the key stream of RFC 3711 appendix B.2', () => {
    const stream = new KeyStream(
      'aes-128-ecb',
      hex('2B7E151628AED2A6ABF7158809CF4F3C'),
      hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD'),
    );
    const bytes = new Uint8Array(48);
    stream.apply(bytes, 0, 48, 0, 0);
    expect(Buffer.from(bytes)).toEqual(
      hex(
        'E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0',
      ),
    );
  });

  it('derives the session keys of RFC 3711 appendix B.3', () => {
    const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');
    expect(Buffer.from(derive(AES_128, master, 0, 16))).toEqual(hex('C61E7A93744F39EE10734AFE3FF7A087'));
    expect(Buffer.from(derive(AES_128, master, 2, 14))).toEqual(hex('30CBBC08863D8C85D49DB34A9AE1'));
    expect(Buffer.from(derive(AES_128, master, 1, 94))).toEqual(
      hex(
        'CEBE321F6FF7716B6FD4AB49AF256A15 6D38BAA48F0A0ACF3C34E2359E6CDBCE E049646C43D9327AD175578EF7227098 6371C10C9A369AC2F94A8C5FBCDDDC25 6D6E919A48B610EF17C2041E47403576 6B68642C59BBFC2F34DB60DBDFB2',
      ),
    );
  });

  it('derives the session keys of RFC 6188 §7.2 (AES-256)', () => {
    const master = hex(
      'f0f04914b513f2763a1b1fa130f10e2998f6f6e43e4309d1e622a0e332b9f1b6 3b04803de51ee7c96423ab5b78d2',
    );
    expect(Buffer.from(derive(AES_256, master, 0, 32))).toEqual(
      hex('5ba1064e30ec51613cad926c5a28ef731ec7fb397f70a960653caf06554cd8c4'),
    );
    expect(Buffer.from(derive(AES_256, master, 2, 14))).toEqual(hex('fa31791685ca444a9e07c6c64e93'));
    expect(Buffer.from(derive(AES_256, master, 1, 20))).toEqual(
      hex('fd9c32d39ed5fbb5a9dc96b30818454d1313dc05'),
    );
  });

  it('makes and reads the packets of libsrtp’s own validation (test/srtp_driver.c)', () => {
    const master = hex('e1f97a0d3e018be0d64fa32c06de4139 0ec675ad498afeebb6960b3aabe6');
    const plain = hex('800f1234decafbadcafebabe abababababababababababababababab');
    const sent = hex('800f1234decafbadcafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb');
    const memory = Buffer.alloc(64);
    plain.copy(memory);
    expect(new SrtpSender(AES_128, master).protect(memory, 0, plain.length)).toBe(sent.length);
    expect(memory.subarray(0, sent.length)).toEqual(sent);
    expect(new SrtpReceiver(AES_128, master).unprotect(memory, 0, sent.length)).toBe(plain.length);
    expect(memory.subarray(0, plain.length)).toEqual(plain);
    const report = hex('81c8000bcafebabe abababababababababababababababab');
    const reported = hex('81c8000bcafebabe 7128035be487b9bdbef89041f977a5a8 80000001 993e08cd54d6c1230798');
    report.copy(memory);
    const sender = new SrtpSender(AES_128, master);
    // libsrtp's first index is 1.
    sender.protectReport(Buffer.alloc(64), 0, 8);
    expect(sender.protectReport(memory, 0, report.length)).toBe(reported.length);
    expect(memory.subarray(0, reported.length)).toEqual(reported);
    expect(new SrtpReceiver(AES_128, master).unprotectReport(memory, 0, reported.length)).toBe(report.length);
    expect(memory.subarray(0, report.length)).toEqual(report);
  });

  it('computes HMAC-SHA1 as node:crypto does, of any length and key', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ maxLength: 90 }),
        fc.option(fc.nat(2 ** 32 - 1)),
        (bytes, key, trailer) => {
          const into = new Uint8Array(20);
          new HmacSha1(key).digest(bytes, 0, bytes.length, trailer, into);
          const hmac = createHmac('sha1', key).update(bytes);
          const word = Buffer.alloc(4);
          word.writeUInt32BE(trailer ?? 0);
          if (trailer !== null) hmac.update(word);
          expect(Buffer.from(into)).toEqual(hmac.digest());
        },
      ),
      { numRuns: 300 },
    );
  });
});

function rtp(sequence: number, ssrc = 0xcafebabe, payload = 'sound'): Buffer {
  const packet = Buffer.alloc(12);
  packet[0] = 0x80;
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(ssrc, 8);
  return Buffer.concat([packet, Buffer.from(payload)]);
}

function sides(suite: Suite = AES_128) {
  const master = randomBytes(masterBytes(suite));
  const sender = new SrtpSender(suite, master);
  const receiver = new SrtpReceiver(suite, master);
  const protect = (packet: Buffer): Buffer => {
    const memory = Buffer.concat([packet, Buffer.alloc(20)]);
    const length = sender.protect(memory, 0, packet.length);
    if (length === REFUSED) throw new Error('refused');
    return memory.subarray(0, length);
  };
  const opens = (packet: Buffer): boolean =>
    receiver.unprotect(Buffer.from(packet), 0, packet.length) !== REFUSED;
  return { sender, receiver, protect, opens };
}

describe('a receiver that joins a call later, as a node that takes it over', () => {
  const ROUND = 0x1_0000;

  /** A peer that has sent for so many rounds of sequence numbers. */
  function senderAfter(rounds: number, sought: number) {
    const { protect, opens, receiver } = sides();
    for (let sequence = 0; sequence <= rounds * ROUND; sequence += 0x4000) protect(rtp(sequence % ROUND));
    receiver.seek(sought);
    return { next: (sequence: number) => protect(rtp(sequence)), opens };
  }

  it.each([0, 1, 3])('finds the roll-over counter %i', (rounds) => {
    const { next, opens } = senderAfter(rounds, 3);
    expect([opens(next(7)), opens(next(8)), opens(next(0x7fff))]).toEqual([true, true, true]);
  });

  it('takes nothing beyond what there may be, and without a search the first round alone', () => {
    const late = senderAfter(4, 3);
    expect(late.opens(late.next(7))).toBe(false);
    const unsought = senderAfter(1, 0);
    expect(unsought.opens(unsought.next(7))).toBe(false);
  });

  it('searches until the first authentic packet: broken ones before it change nothing, and it is taken once', () => {
    const { next, opens } = senderAfter(2, 3);
    const broken = next(7);
    broken[14] = (broken[14] ?? 0) ^ 1;
    expect(opens(broken)).toBe(false);
    const sound = next(8);
    expect([opens(sound), opens(sound)]).toEqual([true, false]);
  });
});

describe.each(SUITES)('$name', (suite) => {
  it('carries packets from one side to the other, encrypted', () => {
    const { receiver, protect } = sides(suite);
    const sent = protect(rtp(7));
    expect(sent.length).toBe(rtp(7).length + suite.tagBytes);
    expect(sent.includes('sound')).toBe(false);
    const length = receiver.unprotect(sent, 0, sent.length);
    expect(sent.subarray(0, length)).toEqual(rtp(7));
  });

  it('refuses a packet with any bit changed, and leaves it as it was', () => {
    const { receiver, protect } = sides(suite);
    const sent = protect(rtp(7));
    for (let bit = 0; bit < sent.length * 8; bit++) {
      const changed = Buffer.from(sent);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const before = Buffer.from(changed);
      expect(receiver.unprotect(changed, 0, changed.length), `bit ${bit}`).toBe(REFUSED);
      expect(changed).toEqual(before);
    }
    expect(receiver.unprotect(sent, 0, sent.length)).toBe(rtp(7).length);
  });
});

describe('repetitions and roll-over, by libsrtp’s rules', () => {
  it('takes each packet once, also out of order within the window', () => {
    const { protect, opens } = sides();
    const sent = [1, 2, 3, 4, 200].map((sequence) => protect(rtp(sequence)));
    expect([0, 2, 1, 2, 0].map((at) => opens(sent[at] as Buffer))).toEqual([true, true, true, false, false]);
    expect(opens(sent[4] as Buffer)).toBe(true);
    // Older than the window.
    expect(opens(sent[3] as Buffer)).toBe(false);
  });

  it('sends no two packets by one number: their difference would be that of their sounds', () => {
    const { protect } = sides();
    protect(rtp(5));
    expect(() => protect(rtp(5, 0xcafebabe, 'other'))).toThrow('refused');
  });

  it('goes over the end of the sequence numbers with loss and disorder around it', () => {
    const { protect, opens } = sides();
    for (const sequence of [65_530, 65_534, 1, 65_535, 0, 3, 65_533, 30_000, 60_000, 2, 20_000])
      expect(opens(protect(rtp(sequence))), String(sequence)).toBe(true);
  });

  it('estimates as RFC 3711 appendix A does', () => {
    const index = new PacketIndex(1);
    expect(index.estimate(65_535)).toBe(65_535);
    index.note(10);
    expect(index.estimate(65_535)).toBe(65_535);
    index.note(65_535);
    expect(index.estimate(3)).toBe(65_536 + 3);
    index.note(65_536 + 3);
    expect([index.estimate(65_530), index.estimate(32_000)]).toEqual([65_530, 65_536 + 32_000]);
    expect([index.isNew(65_535), index.isNew(65_534), index.isNew(65_539 - WINDOW)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('keeps the counters of a source while strangers invent others', () => {
    const { protect, opens } = sides();
    for (const sequence of [65_535, 0]) expect(opens(protect(rtp(sequence)))).toBe(true);
    for (let ssrc = 0; ssrc < 100; ssrc++) expect(opens(rtp(1, ssrc, 'x'.repeat(30)))).toBe(false);
    expect(opens(protect(rtp(1)))).toBe(true);
  });

  it('takes a second source of the peer, as after a transfer', () => {
    const { protect, opens } = sides();
    expect([opens(protect(rtp(9, 1))), opens(protect(rtp(9, 2))), opens(protect(rtp(10, 2)))]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('reports', () => {
  it('go encrypted, in order and once', () => {
    const { sender, receiver } = sides();
    const report = (): Buffer => {
      const memory = Buffer.alloc(60);
      hex('80c90001cafebabe 81ca0002cafebabe01000000').copy(memory);
      return memory.subarray(0, sender.protectReport(memory, 0, 20));
    };
    const [first, second] = [report(), report()];
    const again = Buffer.from(first);
    expect(first.equals(second)).toBe(false);
    expect(receiver.unprotectReport(second, 0, second.length)).toBe(20);
    expect(receiver.unprotectReport(first, 0, first.length)).toBe(20);
    expect(first.subarray(0, 20)).toEqual(second.subarray(0, 20));
    expect(receiver.unprotectReport(again, 0, again.length)).toBe(REFUSED);
  });
});

describe('hostile packets', () => {
  it('never throws and takes none of 10,000 broken ones', () => {
    const { receiver, protect } = sides();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(3), (bytes, kind) => {
        const sent = protect(rtp(fc.sample(fc.nat(65_535), 1)[0] ?? 0, kind + Math.random() * 2 ** 31));
        if (kind > 0 && bytes.length > 1) bytes.set(sent.subarray(0, Math.min(12, bytes.length)));
        expect(receiver.unprotect(bytes, 0, bytes.length)).toBe(REFUSED);
        expect(receiver.unprotectReport(bytes, 0, bytes.length)).toBe(REFUSED);
      }),
      { numRuns: 5_000 },
    );
  });

  it('has no room beyond its memory', () => {
    const memory = rtp(1);
    const { sender } = sides();
    expect(sender.protect(memory, 0, memory.length)).toBe(REFUSED);
    expect(sender.protectReport(memory, 0, memory.length)).toBe(REFUSED);
  });

  it('knows its suites by name alone', () => {
    expect(['AES_CM_128_HMAC_SHA1_80', 'toString', '__proto__', ''].map(isSuite)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
