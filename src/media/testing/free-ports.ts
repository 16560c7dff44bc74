// A range of free UDP ports below the ephemeral ones, so that no socket of another test takes one of them meanwhile.
import { createSocket } from 'node:dgram';

const FROM = 10_000;
const TO = 30_000;
const TRIES = 50;

export async function freePorts(count: number): Promise<{ from: number; to: number }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const from = FROM + 2 * Math.floor((Math.random() * (TO - FROM - count)) / 2);
    const ports = Array.from({ length: count }, (_, index) => from + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return { from, to: from + count - 1 };
  }
  throw new Error(`no ${count} free ports in a row`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}
