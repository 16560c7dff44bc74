// struct sockaddr_in and sockaddr_in6 as bytes: family in host byte order, port and address in network byte order.
import { endianness } from 'node:os';
import { read16, read32, write32 } from '../../rtp/rtp.ts';
import { type Endpoint, isMapped } from '../endpoint.ts';

export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCKADDR_IN_BYTES = 16;
export const SOCKADDR_IN6_BYTES = 28;
export const SOCKADDR_ROOM = 32;

const LITTLE = endianness() === 'LE';

export function writeFamily(bytes: Uint8Array, family: number): void {
  bytes.fill(0, 0, SOCKADDR_ROOM);
  bytes[LITTLE ? 0 : 1] = family;
}

/** After `writeFamily`. False when a socket of this family cannot reach the address. */
export function writeSockaddr(bytes: Uint8Array, family: number, to: Endpoint): boolean {
  bytes[2] = to.port >>> 8;
  bytes[3] = to.port;
  if (family === AF_INET) {
    if (!isMapped(to)) return false;
    write32(bytes, 4, to.d);
    return true;
  }
  write32(bytes, 8, to.a);
  write32(bytes, 12, to.b);
  write32(bytes, 16, to.c);
  write32(bytes, 20, to.d);
  return true;
}

export function readSockaddr(bytes: Uint8Array, family: number, into: Endpoint): void {
  into.port = read16(bytes, 2);
  if (family === AF_INET) {
    into.a = 0;
    into.b = 0;
    into.c = 0xffff;
    into.d = read32(bytes, 4) | 0;
    return;
  }
  into.a = read32(bytes, 8) | 0;
  into.b = read32(bytes, 12) | 0;
  into.c = read32(bytes, 16) | 0;
  into.d = read32(bytes, 20) | 0;
}
