// SMS to an SMSC over SMPP 3.4: a session that is made again when it ends, a window, and messages as submit_sm.

import { septetsOf } from '../../kinds/gsm-alphabet.ts';
import { MAX_PARTS, splitSms } from '../../kinds/sms-parts.ts';
import type { Clock } from '../../kit/clock.ts';
import type { GatewayUser, OutgoingSms, SendResult, SmsGateway } from '../gateway.ts';
import { type Address, BodyReader, COMMANDS, submitBody, TAGS, tagged } from './pdu.ts';
import { readReceipt } from './receipt.ts';
import { type SmppAddress, SmppSession } from './smpp-session.ts';
import { judgeStatus } from './status.ts';

export interface SmppOptions extends SmppAddress {
  readonly sender: string;
  /** submit_sm that wait for their answers, at most. */
  readonly window: number;
  /** The vendor's tag that carries our id; 0 is none. */
  readonly idTag: number;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;
const UDH_BYTES = 6;
const ESM_UDHI = 0x40;
/** Messages of which the SMSC has some parts but not all; beyond it the oldest are sent whole again. */
const MAX_BEGUN = 1000;
const CODINGS = { gsm7: 0x00, ucs2: 0x08 } as const;

export class SmppGateway implements SmsGateway {
  readonly #options: SmppOptions;
  readonly #clock: Clock;
  readonly #user: GatewayUser;
  #session: SmppSession | null = null;
  #bound = false;
  #closed = false;
  #waitMs = FIRST_WAIT_MS;
  #cancelReconnect: () => void = () => undefined;
  #inWindow = 0;
  readonly #queue: (() => void)[] = [];
  /** By message: the ids of the parts that the SMSC has, which the next try does not send again. */
  readonly #begun = new Map<string, string[]>();

  constructor(options: SmppOptions, user: GatewayUser, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#user = user;
    this.#connect();
  }

  get isBound(): boolean {
    return this.#bound;
  }

  /** All parts, one after the other: after a refusal the rest is not sent. */
  async send(message: OutgoingSms, signal: AbortSignal): Promise<SendResult> {
    const bodies = submissionsOf(message, this.#options);
    if (!bodies) return { failed: `It would be longer than ${MAX_PARTS} messages.` };
    const ids = this.#begun.get(message.id) ?? [];
    this.#begun.delete(message.id);
    for (const body of bodies.slice(ids.length)) {
      const submitted = await this.#submit(body, signal);
      if ('taken' in submitted) ids.push(submitted.taken);
      else {
        if ('retry' in submitted && ids.length > 0) this.#remember(message.id, ids);
        return submitted;
      }
    }
    return { sent: ids.filter((id) => id !== '') };
  }

  /** `taken`: what the SMSC calls it; '' if it does not say. */
  async #submit(body: Buffer, signal: AbortSignal): Promise<{ taken: string } | SendResult> {
    if (!(await this.#enterWindow(signal))) return { retry: 'There was no room in the window.' };
    try {
      const session = this.#bound ? this.#session : null;
      if (!session) return { retry: 'There is no connection to the SMSC.' };
      const answer = await session.request(COMMANDS.submit_sm, body);
      if (!answer) return { retry: 'The SMSC did not answer.' };
      return judgeStatus(answer.status) ?? { taken: new BodyReader(answer.body).text(65) };
    } finally {
      this.#leaveWindow();
    }
  }

  #remember(id: string, parts: string[]): void {
    this.#begun.set(id, parts);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > MAX_BEGUN && oldest !== undefined) this.#begun.delete(oldest);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelReconnect();
    await this.#session?.close();
  }

  #connect(): void {
    const { host, port } = this.#options;
    const session = new SmppSession({
      address: this.#options,
      clock: this.#clock,
      delivered: (body) => this.#delivered(body),
      ended: (why) => {
        if (this.#bound) this.#user.log('warn', `the SMSC ${host}:${port} disconnected: ${why}`);
        this.#bound = false;
        this.#session = null;
        this.#reconnectLater();
      },
    });
    this.#session = session;
    void session.bind().then((why) => {
      if (why !== null) {
        if (!this.#closed) this.#user.log('warn', `the SMSC ${host}:${port} cannot be used: ${why}`);
        return;
      }
      this.#bound = true;
      this.#waitMs = FIRST_WAIT_MS;
      this.#user.log('info', `bound to the SMSC ${host}:${port}`);
    });
  }

  #reconnectLater(): void {
    if (this.#closed) return;
    const waitMs = this.#waitMs * (0.5 + Math.random() / 2);
    this.#waitMs = Math.min(MAX_WAIT_MS, this.#waitMs * 2);
    this.#cancelReconnect = this.#clock.after(waitMs, () => this.#connect());
  }

  async #delivered(body: Buffer): Promise<boolean> {
    const receipt = readReceipt(body);
    // A message from a phone is accepted and dropped, so that the SMSC does not keep it.
    if (receipt) await this.#user.received([receipt]);
    return true;
  }

  /** False: aborted. */
  #enterWindow(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#inWindow < this.#options.window) {
      this.#inWindow += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        resolve(false);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(enter);
    });
  }

  /** The slot goes to the longest waiting. */
  #leaveWindow(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#inWindow -= 1;
  }
}

/** One body for each part; null: too many. The same message makes the same bytes, however often it is sent. */
export function submissionsOf(
  { id, to, text }: OutgoingSms,
  { sender, idTag }: Pick<SmppOptions, 'sender' | 'idTag'>,
): Buffer[] | null {
  const { coding, parts } = splitSms(text);
  if (parts.length > MAX_PARTS) return null;
  const reference = referenceOf(id);
  return parts.map((part, index) => {
    const octets = coding === 'gsm7' ? gsmOctets(part) : Buffer.from(part, 'utf16le').swap16();
    const several = parts.length > 1;
    // 3GPP TS 23.040 §9.2.3.24.1: parts of one message, by a reference of 8 bits.
    const header = Buffer.of(UDH_BYTES - 1, 0x00, 0x03, reference & 0xff, parts.length, index + 1);
    const tag = Buffer.allocUnsafe(2);
    tag.writeUInt16BE(reference);
    return submitBody({
      source: addressOf(sender),
      destination: addressOf(to),
      esmClass: several ? ESM_UDHI : 0,
      dataCoding: CODINGS[coding],
      message: several ? Buffer.concat([header, octets]) : octets,
      tags: [
        tagged(TAGS.user_message_reference, tag),
        ...(idTag === 0 ? [] : [tagged(idTag, Buffer.from(`${id}\0`, 'latin1'))]),
      ],
    });
  });
}

function gsmOctets(text: string): Buffer {
  return Buffer.from([...text].flatMap((character) => [...(septetsOf(character) ?? [])]));
}

/** 16 bits of the id that change from one message to the next (FNV-1a, folded). */
function referenceOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}

/** SMPP 3.4 §5.2.5, §5.2.6 */
function addressOf(text: string): Address {
  if (text === '') return { ton: 0, npi: 0, text };
  if (text.startsWith('+')) return { ton: 1, npi: 1, text: text.slice(1) };
  return /^[0-9]+$/.test(text) ? { ton: 0, npi: 1, text } : { ton: 5, npi: 0, text };
}
