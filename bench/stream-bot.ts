// The voice bots of bench/streams.ts, in a process of their own: each answers every frame with one, with a pause in each second, and notes how old those of the caller are.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { delaysOf, readStamp, writeStamp } from './stamps.ts';

const WARM_UP_MS = 6_000;
/** In each second: what waits to be played since the machine was busy for a moment would wait for ever if a bot never paused. */
const PAUSE_MS = 200;
const delays: number[] = [];
const frame = Buffer.alloc(160, 0xd5);
const startedMs = performance.now();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });

server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }));
server.on('connection', (socket) => {
  socket.on('error', () => undefined);
  socket.on('message', (text) => {
    const message = JSON.parse(String(text));
    if (message.event !== 'media') return;
    const delay = readStamp(Buffer.from(message.media.payload, 'base64'), 0);
    if (delay !== null && performance.now() - startedMs > WARM_UP_MS) delays.push(delay);
    if (performance.now() % 1_000 < PAUSE_MS) return;
    writeStamp(frame, 0);
    const payload = frame.toString('base64');
    socket.send(`{"event":"media","streamSid":"${message.streamSid}","media":{"payload":"${payload}"}}`);
  });
});
process.once('message', () => process.send?.(delaysOf(delays), () => process.exit(0)));
