// The address of a softphone's server, and its own RTP ports.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { openMedia } from '../../media/engine/engine.ts';
import type { MediaConfig, MediaEngine } from '../../media/media.ts';
import type { Address } from '../../sip/transports/transport.ts';
import { isLoopback } from '../builtin/access/invite-authorizer.ts';

/** The environment does not permit a call. */
export class SoftphoneError extends Error {}

const PORTS = 16;
const PORT_TRIES = 8;

export async function addressOf({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<Address> {
  if (host === '0.0.0.0') return { address: '127.0.0.1', port };
  if (host === '::') return { address: '::1', port };
  if (isIP(host) !== 0) return { address: host, port };
  try {
    return { address: (await lookup(host)).address, port };
  } catch (error) {
    throw new SoftphoneError(`${host} cannot be resolved: ${(error as Error).message}`, { cause: error });
  }
}

export function hostTowards(address: string): string {
  if (isLoopback(address)) return address.includes(':') ? '::1' : '127.0.0.1';
  return address.includes(':') ? '::' : '0.0.0.0';
}

/** A few ports in a random range; another range when all of them are in use. */
export async function openSound(host: string, adapter: MediaConfig['adapter']): Promise<MediaEngine> {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const from = 30_000 + 2 * Math.floor(Math.random() * 1_300);
    const engine = await openMedia({
      host,
      ports: { from, to: from + PORTS - 1 },
      workers: 1,
      adapter,
      rtpTimeoutMs: 3_600_000,
    });
    const stream = engine.open({ keyPressed() {}, played() {}, silent() {}, oneWay() {} });
    if (stream) {
      await stream.close();
      return engine;
    }
    await engine.close();
  }
  throw new SoftphoneError('No UDP port for sound is free on this machine.');
}
