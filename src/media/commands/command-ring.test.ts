import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../sockets/endpoint.ts';
import type { Agreed } from './agreed.ts';
import { CommandRing, RING_ORDERS } from './command-ring.ts';
import type { Command } from './commands.ts';

/** The writer's and the reader's view of one memory. */
function pair(): [CommandRing, CommandRing] {
  const shared = CommandRing.allocate();
  return [new CommandRing(shared), new CommandRing(shared)];
}

function takeAll(ring: CommandRing): Command[] {
  const commands: Command[] = [];
  while (ring.taken !== ring.written) commands.push(ring.take());
  return commands;
}

const word = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const count = fc.integer({ min: 0, max: 0x7fff_ffff });
const port = fc.integer({ min: 0, max: 0xffff });
const payloadType = fc.integer({ min: 0, max: 127 });
const endpoint = (of: fc.Arbitrary<number>): fc.Arbitrary<Endpoint> =>
  fc.record({ a: word, b: word, c: word, d: word, port: of });

const agreed: fc.Arbitrary<Agreed> = fc.record({
  remote: endpoint(port),
  remoteRtcpPort: port,
  signalling: fc.option(endpoint(fc.constant(0))),
  codec: fc.constantFrom('pcmu', 'pcma'),
  payloadType,
  eventPayloadType: fc.option(payloadType),
  frames: fc.integer({ min: 1, max: 3 }),
  direction: fc.constantFrom('sendrecv', 'sendonly', 'recvonly', 'inactive'),
  early: fc.constantFrom(null, 'verified', 'unverified'),
  srtp: fc.constant(null),
});

const tone = fc.constantFrom('missing', 'ringback', 'busy', 'beep', 'notice');
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(fc.constantFrom('open', 'bridge'), count, count),
  fc.tuple(fc.constant('configure'), count, agreed),
  fc.tuple(fc.constant('play'), count, count, count, fc.boolean()),
  fc.tuple(fc.constant('play-tone'), count, count, tone, fc.boolean()),
  fc.tuple(fc.constantFrom('stop', 'unbridge', 'stop-recording', 'close'), count),
  fc.tuple(fc.constant('tap'), count, fc.boolean()),
  fc.tuple(fc.constant('listen-in'), count, fc.option(count), fc.constantFrom('monitor', 'whisper', 'barge')),
) as fc.Arbitrary<Command>;

describe('the ring of commands', () => {
  it('returns commands in the sequence in which they were written', () => {
    const [writer, reader] = pair();
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        for (const each of commands) expect(writer.write(each)).toBe(true);
        expect(takeAll(reader)).toEqual(commands);
      }),
      { numRuns: 200 },
    );
  });

  it('takes no more when it is full, and loses nothing', () => {
    const [writer, reader] = pair();
    for (let stream = 0; stream < RING_ORDERS; stream++) expect(writer.write(['stop', stream])).toBe(true);
    expect(writer.write(['stop', 9_999])).toBe(false);
    expect(reader.take()).toEqual(['stop', 0]);
    expect(writer.write(['close', 7])).toBe(true);
    const rest = takeAll(reader);
    expect(rest).toHaveLength(RING_ORDERS);
    expect([rest[0], rest.at(-1)]).toEqual([
      ['stop', 1],
      ['close', 7],
    ]);
  });

  it('goes on when its counters turn over', () => {
    const shared = CommandRing.allocate();
    const [writer, reader] = [new CommandRing(shared), new CommandRing(shared)];
    new Int32Array(shared).fill(0x7fff_fff0, 0, 2);
    for (let stream = 0; stream < 100; stream++) {
      expect(writer.write(['stop', stream])).toBe(true);
      expect(takeAll(reader)).toEqual([['stop', stream]]);
    }
  });

  it('leaves commands with audio or text to a message', () => {
    const [writer, reader] = pair();
    const sound = new Uint8Array(4);
    expect(writer.write(['load', 1, [sound, sound]])).toBe(false);
    expect(writer.write(['send-keys', 1, '123'])).toBe(false);
    expect(writer.write(['end'])).toBe(false);
    expect(reader.written).toBe(0);
  });
});
