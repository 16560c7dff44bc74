// HEPv3 packets of SIP messages, as Homer's capture servers take them (HEP3 network protocol specification, generic chunks).
//
//   'HEP3' | total length u16 | chunk …      chunk: vendor u16 | type u16 | length u16, with these 6 bytes | value
import { addressBytes } from './address-bytes.ts';

export interface CapturedMessage {
  readonly protocol: 'udp' | 'tcp' | 'tls' | 'ws';
  readonly source: { readonly address: string; readonly port: number };
  readonly destination: { readonly address: string; readonly port: number };
  /** Microseconds since 1970. */
  readonly atUs: number;
  readonly callId: string;
  readonly payload: Buffer;
}

export interface CaptureAgent {
  /** u32 (HEP_ID). */
  readonly id: number;
  readonly password: string | undefined;
  /** Which node it was. */
  readonly name: string | undefined;
}

const CHUNK = {
  ipFamily: 1,
  ipProtocol: 2,
  sourceIp4: 3,
  destinationIp4: 4,
  sourceIp6: 5,
  destinationIp6: 6,
  sourcePort: 7,
  destinationPort: 8,
  seconds: 9,
  microseconds: 10,
  protocolType: 11,
  agentId: 12,
  password: 14,
  payload: 15,
  correlationId: 17,
  agentName: 19,
} as const;

const MAGIC = 'HEP3';
const HEAD = 6;
const AF_INET = 2;
const AF_INET6 = 10;
const IP_UDP = 17;
const IP_TCP = 6;
const SIP = 1;
/** A datagram holds 65,507 bytes. */
const LARGEST = 65_507;

/** What all packets of one agent and family begin with, and where the fields of a message are in it. */
interface Template {
  readonly bytes: Buffer;
  readonly addressLength: number;
  readonly at: Readonly<
    Record<
      'protocol' | 'source' | 'destination' | 'sourcePort' | 'destinationPort' | 'seconds' | 'microseconds',
      number
    >
  >;
}

export type PacketWriter = (message: CapturedMessage) => Buffer | null;

/** Writes packets of one agent. Null: the message is larger than a datagram. */
export function packetWriter(agent: CaptureAgent): PacketWriter {
  const ip4 = templateOf(agent, false);
  const ip6 = templateOf(agent, true);
  return (message) => {
    const from = addressBytes(message.source.address);
    const to = addressBytes(message.destination.address);
    const { bytes, addressLength, at } = from.length === 16 && to.length === 16 ? ip6 : ip4;
    const { callId, payload } = message;
    const idLength = Buffer.byteLength(callId);
    const end = bytes.length + (idLength === 0 ? 0 : HEAD + idLength);
    const length = end + HEAD + payload.length;
    if (length > LARGEST) return null;
    // Every byte is written below.
    const packet = Buffer.allocUnsafe(length);
    bytes.copy(packet);
    packet.writeUInt16BE(length, 4);
    packet[at.protocol] = message.protocol === 'udp' ? IP_UDP : IP_TCP;
    // Mixed families have no place in a packet: the address of the other family stays 0.
    if (from.length === addressLength) packet.set(from, at.source);
    if (to.length === addressLength) packet.set(to, at.destination);
    packet.writeUInt16BE(message.source.port, at.sourcePort);
    packet.writeUInt16BE(message.destination.port, at.destinationPort);
    packet.writeUInt32BE(Math.floor(message.atUs / 1e6), at.seconds);
    packet.writeUInt32BE(Math.floor(message.atUs % 1e6), at.microseconds);
    if (idLength > 0) {
      writeHead(packet, bytes.length, CHUNK.correlationId, idLength);
      packet.write(callId, bytes.length + HEAD);
    }
    writeHead(packet, end, CHUNK.payload, payload.length);
    payload.copy(packet, end + HEAD);
    return packet;
  };
}

function writeHead(packet: Buffer, at: number, type: number, size: number): void {
  packet.writeUInt16BE(0, at);
  packet.writeUInt16BE(type, at + 2);
  packet.writeUInt16BE(HEAD + size, at + 4);
}

function templateOf(agent: CaptureAgent, isIp6: boolean): Template {
  const addressLength = isIp6 ? 16 : 4;
  const parts: Buffer[] = [Buffer.from(`${MAGIC}\0\0`, 'latin1')];
  let length = HEAD;
  /** Where its value begins. */
  const chunk = (type: number, value: Uint8Array): number => {
    const head = Buffer.alloc(HEAD);
    writeHead(head, 0, type, value.length);
    parts.push(head, Buffer.from(value));
    length += HEAD + value.length;
    return length - value.length;
  };
  const text = (type: number, value: string | undefined): void => {
    if (value) chunk(type, Buffer.from(value));
  };
  const agentId = Buffer.alloc(4);
  agentId.writeUInt32BE(agent.id);
  chunk(CHUNK.ipFamily, Uint8Array.of(isIp6 ? AF_INET6 : AF_INET));
  const at = {
    protocol: chunk(CHUNK.ipProtocol, Uint8Array.of(IP_UDP)),
    source: chunk(isIp6 ? CHUNK.sourceIp6 : CHUNK.sourceIp4, new Uint8Array(addressLength)),
    destination: chunk(isIp6 ? CHUNK.destinationIp6 : CHUNK.destinationIp4, new Uint8Array(addressLength)),
    sourcePort: chunk(CHUNK.sourcePort, new Uint8Array(2)),
    destinationPort: chunk(CHUNK.destinationPort, new Uint8Array(2)),
    seconds: chunk(CHUNK.seconds, new Uint8Array(4)),
    microseconds: chunk(CHUNK.microseconds, new Uint8Array(4)),
  };
  chunk(CHUNK.protocolType, Uint8Array.of(SIP));
  chunk(CHUNK.agentId, agentId);
  text(CHUNK.password, agent.password);
  text(CHUNK.agentName, agent.name);
  return { bytes: Buffer.concat(parts), addressLength, at };
}
