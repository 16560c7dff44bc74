// RTP as an attacker sends it: a tone of his own, in sequence, at the pace of audio, to every port he finds open.
import { Stranger } from './stranger.ts';

export const ATTACKER_HZ = 2_500;
const FRAME_SAMPLES = 160;
const FRAME_MS = 20;

/** µ-law of a loud sine, made with the definition (ITU-T G.711), not with our tables. */
function tone(hz: number, from: number): Buffer {
  return Buffer.from(
    Array.from({ length: FRAME_SAMPLES }, (_, i) =>
      muLaw(9_000 * Math.sin((2 * Math.PI * hz * (from + i)) / 8_000)),
    ),
  );
}

function muLaw(sample: number): number {
  const magnitude = Math.min(Math.abs(Math.round(sample)), 32_635) + 132;
  const exponent = Math.max(0, Math.floor(Math.log2(magnitude)) - 7);
  const mantissa = (magnitude >> (exponent + 3)) & 15;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

export function rtpPacket(index: number, ssrc: number, payloadType = 0): Buffer {
  const head = Buffer.alloc(12);
  head[0] = 0x80;
  head[1] = payloadType;
  head.writeUInt16BE(index & 0xffff, 2);
  head.writeUInt32BE((index * FRAME_SAMPLES) >>> 0, 4);
  head.writeUInt32BE(ssrc, 8);
  return Buffer.concat([head, tone(ATTACKER_HZ, index * FRAME_SAMPLES)]);
}

/** A sender report that is right in every octet, about an unknown source. */
export function senderReport(ssrc: number): Buffer {
  const report = Buffer.alloc(28);
  report[0] = 0x80;
  report[1] = 200;
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(ssrc, 4);
  return report;
}

export class Sprayer {
  readonly stranger: Stranger;
  readonly #ssrc = 0xbad0_0bad;
  #index = 0;

  static async open(host: string): Promise<Sprayer> {
    return new Sprayer(await Stranger.open(host));
  }

  private constructor(stranger: Stranger) {
    this.stranger = stranger;
  }

  /** So many packets to each port, 50 per second, RTP to all and reports to all. */
  async spray(host: string, ports: readonly number[], packets: number): Promise<void> {
    const startMs = performance.now();
    for (let count = 0; count < packets; count += 1) {
      for (const port of ports) {
        void this.stranger.send(rtpPacket(this.#index, this.#ssrc), { host, port });
        if (count % 10 === 0) void this.stranger.send(senderReport(this.#ssrc), { host, port: port + 1 });
        if (count % 10 === 5)
          void this.stranger.send(Buffer.from([0x80, 200, 0, 0]), { host, port: port + 1 });
      }
      this.#index += 1;
      const dueMs = startMs + (count + 1) * FRAME_MS;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    }
  }

  get received(): number {
    return this.stranger.received.length;
  }

  close(): void {
    this.stranger.close();
  }
}
