// The PDUs of SMPP 3.4 that a client needs, as bytes and as values.
//
//   0       4        8        12        16
//   | length | command | status | sequence | body: C-octet strings, octets, then tagged parameters (tag, length, value)

/** SMPP 3.4 §5.1.2.1 */
export const COMMANDS = {
  generic_nack: 0x80000000,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
} as const;

/** SMPP 3.4 §5.3.2 */
export const TAGS = {
  user_message_reference: 0x0204,
  receipted_message_id: 0x001e,
  message_state: 0x0427,
  message_payload: 0x0424,
} as const;

export const HEADER_BYTES = 16;
/** A message_payload of 64 KiB is the largest thing there is; nothing we ask for comes near. */
export const MAX_PDU_BYTES = 70_000;

export interface Pdu {
  readonly command: number;
  readonly status: number;
  readonly sequence: number;
  readonly body: Buffer;
}

export function writePdu(command: number, status: number, sequence: number, body?: Buffer): Buffer {
  const head = Buffer.allocUnsafe(HEADER_BYTES);
  head.writeUInt32BE(HEADER_BYTES + (body?.length ?? 0), 0);
  head.writeUInt32BE(command, 4);
  head.writeUInt32BE(status, 8);
  head.writeUInt32BE(sequence, 12);
  return body ? Buffer.concat([head, body]) : head;
}

/** Bytes as they arrive → whole PDUs. After malformed input `fault` is set, and nothing more is read. */
export class PduReader {
  #chunks: Buffer[] = [];
  #held = 0;
  fault: string | null = null;

  /** Each piece is copied at most once, however small the pieces are. */
  push(bytes: Buffer): Pdu[] {
    const pdus: Pdu[] = [];
    if (this.fault !== null) return pdus;
    this.#chunks.push(bytes);
    this.#held += bytes.length;
    for (let needed = this.#needed(); needed !== null && this.#held >= needed; needed = this.#needed()) {
      const pdu = this.#take(needed);
      pdus.push({
        command: pdu.readUInt32BE(4),
        status: pdu.readUInt32BE(8),
        sequence: pdu.readUInt32BE(12),
        body: pdu.subarray(HEADER_BYTES),
      });
    }
    return pdus;
  }

  /** The length of the PDU that comes next; null: not known yet, or never. */
  #needed(): number | null {
    if (this.#held < HEADER_BYTES || this.fault !== null) return null;
    if ((this.#chunks[0]?.length ?? 0) < HEADER_BYTES) this.#chunks = [Buffer.concat(this.#chunks)];
    const length = this.#chunks[0]?.readUInt32BE(0) ?? 0;
    if (length >= HEADER_BYTES && length <= MAX_PDU_BYTES) return length;
    this.fault = `a PDU of ${length} bytes`;
    this.#chunks = [];
    this.#held = 0;
    return null;
  }

  #take(length: number): Buffer {
    const [first] = this.#chunks;
    const whole = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#held);
    const rest = whole.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    return whole.subarray(0, length);
  }
}

/** Reads a body from left to right; reading past its end gives nothing and leaves a fault. */
export class BodyReader {
  readonly #body: Buffer;
  #at = 0;
  fault = false;

  constructor(body: Buffer) {
    this.#body = body;
  }

  octet(): number {
    const value = this.#body[this.#at];
    if (value === undefined) this.fault = true;
    this.#at += 1;
    return value ?? 0;
  }

  /** A C-octet string of at most so many bytes, its NUL included. */
  text(most: number): string {
    const end = this.#body.indexOf(0, this.#at);
    if (end < 0 || end - this.#at >= most) {
      this.fault = true;
      this.#at = this.#body.length;
      return '';
    }
    const text = this.#body.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  octets(count: number): Buffer {
    if (this.#at + count > this.#body.length) {
      this.fault = true;
      this.#at = this.#body.length;
      return Buffer.alloc(0);
    }
    this.#at += count;
    return this.#body.subarray(this.#at - count, this.#at);
  }

  /** The rest of the body. A tag that comes twice counts once. */
  tags(): Map<number, Buffer> {
    const tags = new Map<number, Buffer>();
    while (this.#at + 4 <= this.#body.length) {
      const tag = this.#body.readUInt16BE(this.#at);
      const length = this.#body.readUInt16BE(this.#at + 2);
      this.#at += 4;
      const value = this.octets(length);
      if (this.fault) break;
      if (!tags.has(tag)) tags.set(tag, value);
    }
    return tags;
  }
}

const cString = (text: string): Buffer => Buffer.from(`${text.replaceAll('\0', '')}\0`, 'latin1');

export function tagged(tag: number, value: Buffer): Buffer {
  const head = Buffer.allocUnsafe(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}

/** SMPP 3.4 §4.1.5 */
export function bindBody(systemId: string, password: string, systemType: string): Buffer {
  return Buffer.concat([
    cString(systemId),
    cString(password),
    cString(systemType),
    Buffer.of(0x34, 0, 0),
    cString(''),
  ]);
}

export interface Address {
  /** Type of number: 1 international, 0 unknown, 5 alphanumeric (§5.2.5). */
  readonly ton: number;
  readonly npi: number;
  readonly text: string;
}

export interface Submission {
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly message: Buffer;
  readonly tags: readonly Buffer[];
}

/** SMPP 3.4 §4.4.1; a receipt is asked for (§5.2.17). */
export function submitBody({ source, destination, esmClass, dataCoding, message, tags }: Submission): Buffer {
  return Buffer.concat([
    cString(''),
    Buffer.of(source.ton, source.npi),
    cString(source.text),
    Buffer.of(destination.ton, destination.npi),
    cString(destination.text),
    Buffer.of(esmClass, 0, 0),
    cString(''),
    cString(''),
    Buffer.of(1, 0, dataCoding, 0, message.length),
    message,
    ...tags,
  ]);
}
