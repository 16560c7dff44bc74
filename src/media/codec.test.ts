import { describe, expect, it } from 'vitest';
import {
  CODECS,
  codecNamed,
  encodeForAll,
  OWN_CODECS,
  PASSED_THROUGH,
  PCMA,
  PCMU,
  preferring,
  transcode,
} from './codec.ts';

describe.each(CODECS.map((codec) => [codec.name, codec] as const))('the codec %s', (name, codec) => {
  it('is found by its name and by its index', () => {
    expect(codecNamed(name)).toBe(codec);
    expect(CODECS[codec.index]).toBe(codec);
  });

  it('has frames of 20 ms at its clock rate', () => {
    expect(codec.frameSamples).toBe(codec.clockRateHz / 50);
    expect(codec.rtpmap.toLowerCase()).toMatch(new RegExp(`^${name}/${codec.clockRateHz}(/2)?$`));
  });
});

describe.each(OWN_CODECS.map((codec) => [codec.name, codec] as const))('the codec %s of ours', (_, codec) => {
  it('encodes silence as its silence byte, and decodes what it encodes', () => {
    expect(codec.encode(0)).toBe(codec.silence);
    for (let byte = 0; byte < 256; byte++) {
      const linear = codec.decode[byte] ?? 0;
      expect(codec.decode[codec.encode(linear)]).toBe(linear);
    }
  });

  it('transcodes to every other codec, and leaves its own bytes alone', () => {
    for (const other of OWN_CODECS) {
      const bytes = Uint8Array.of(1, codec.silence, codec.silence, 1);
      transcode(bytes, 1, 2, codec, other);
      const [, second = 0, third, last] = bytes;
      expect([bytes[0], last, third]).toEqual([1, 1, second]);
      expect(Math.abs(other.decode[second] ?? 99)).toBeLessThanOrEqual(8);
    }
  });
});

describe.each(PASSED_THROUGH.map((codec) => [codec.name, codec] as const))(
  'the codec %s that is passed through',
  (_, codec) => {
    it('decodes to silence, and becomes silence of ours', () => {
      expect(codec.decode.every((sample) => sample === 0)).toBe(true);
      for (const other of OWN_CODECS) {
        const bytes = Uint8Array.of(1, 2, 3, 1);
        transcode(bytes, 1, 2, codec, other);
        expect([...bytes]).toEqual([1, other.silence, other.silence, 1]);
      }
    });
  },
);

describe('the codec table', () => {
  it('transcodes by the tables of G.711', () => {
    const bytes = Buffer.from([0xff, 0x80, 0x00]);
    transcode(bytes, 0, 3, PCMU, PCMA);
    expect([...bytes]).toEqual([0xd5, 0xaa, 0x2a]);
    transcode(bytes, 0, 3, PCMA, PCMU);
    expect([...bytes]).toEqual([0xfe, 0x80, 0x00]);
  });

  it('encodes audio for every codec in shared memory, at whole words', () => {
    const audio = encodeForAll(Uint8Array.of(0xff, 0x80, 0x00, 0x10, 0x20));
    expect(audio.map((bytes) => bytes.length)).toEqual([5, 5]);
    expect([...(audio[PCMU.index] ?? [])]).toEqual([0xff, 0x80, 0x00, 0x10, 0x20]);
    expect([...(audio[PCMA.index] ?? [])].slice(0, 3)).toEqual([0xd5, 0xaa, 0x2a]);
    for (const { buffer, byteOffset } of audio) {
      expect(buffer).toBeInstanceOf(SharedArrayBuffer);
      expect(byteOffset % 4).toBe(0);
    }
  });

  it('lists all codecs with the preferred one first', () => {
    expect(preferring('pcmu')).toEqual(['pcmu', 'pcma']);
    expect(preferring('pcma')).toEqual(['pcma', 'pcmu']);
  });
});
