// Messages of bots that mean harm: well-formed, malformed, huge, and bytes that are no WebSocket frames at all.
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';

/** mulberry32: a failure can be repeated by its number. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NASTY: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1e308,
  [],
  {},
  '\u0000',
  '__proto__',
  'x'.repeat(5_000),
  true,
];

function anyMessage(random: () => number): string | Buffer {
  const nat = (most: number): number => Math.floor(random() * most);
  const nasty = (): unknown => NASTY[nat(NASTY.length)];
  const audio = (bytes: number): string => randomBytes(bytes).toString('base64');
  const kinds: readonly (() => string | Buffer)[] = [
    () => JSON.stringify({ event: 'media', media: { payload: audio(nat(4_000)) } }),
    () => JSON.stringify({ event: 'media', media: { payload: audio(160) } }),
    () => JSON.stringify({ event: 'media', media: { payload: audio(nat(600_000)) } }),
    () => JSON.stringify({ event: 'media', media: { payload: nasty() } }),
    () => JSON.stringify({ event: 'mark', mark: { name: `m${nat(9)}` } }),
    () => JSON.stringify({ event: 'mark', mark: { name: nasty() } }),
    () => JSON.stringify({ event: 'clear' }),
    () => JSON.stringify({ event: 'transfer', transfer: { destination: nasty() } }),
    () => JSON.stringify({ event: 'variables', variables: { [`v${nat(99)}`]: nasty(), __proto__: nasty() } }),
    () => JSON.stringify({ event: nasty(), media: nasty() }),
    () => '{"event":"variables","variables":{"__proto__":{"polluted":"yes"},"constructor":"x"}}',
    () => JSON.stringify({ event: 'start', start: { streamSid: 'MZ' } }),
    () => '['.repeat(nat(20_000)),
    () => randomBytes(nat(2_000)),
    () => randomBytes(nat(200)).toString('latin1'),
    () => 'x'.repeat(nat(1_500_000)),
  ];
  // Mostly what is well-formed: a malformed message ends the stream at once.
  return (kinds[random() < 0.8 ? nat(8) : nat(kinds.length)] ?? kinds[0])?.() ?? '';
}

export function attack(socket: WebSocket, random: () => number): void {
  const messages = Math.floor(random() * 40);
  for (let count = 0; count < messages && socket.readyState === socket.OPEN; count++) {
    const choice = random();
    if (choice < 0.01) socket.close(Math.floor(random() * 2) === 0 ? 1000 : 4_000);
    else if (choice < 0.02) socket.terminate();
    else if (choice < 0.03) socket.ping(randomBytes(100));
    else if (choice < 0.05)
      Reflect.get(socket, '_socket')?.write(randomBytes(1 + Math.floor(random() * 300)));
    else {
      const message = anyMessage(random);
      socket.send(message, { binary: typeof message !== 'string' });
    }
  }
}
