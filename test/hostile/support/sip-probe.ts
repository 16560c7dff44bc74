// Is the service still there? By an OPTIONS from this machine.
import { randomBytes } from 'node:crypto';
import { readSip, type SipText, writeSip } from '../../support/phone/sip-text.ts';
import { type Datagram, type Place, Stranger } from './stranger.ts';

const id = (): string => randomBytes(8).toString('hex');

/** A request as a client would send it from that place, with a branch, tags and ids of its own. */
export function requestText(
  method: string,
  to: Place,
  from: Place,
  more: {
    readonly user?: string;
    readonly fromUser?: string;
    readonly headers?: readonly (readonly [string, string])[];
    readonly body?: string;
    readonly callId?: string;
  } = {},
): string {
  const { user = '100', fromUser = 'stranger', headers = [], body = '', callId = id() } = more;
  const uri = `sip:${user}@${to.host}:${to.port}`;
  return writeSip(
    `${method} ${uri} SIP/2.0`,
    [
      ['Via', `SIP/2.0/UDP ${from.host}:${from.port};branch=z9hG4bK${id()};rport`],
      ['Max-Forwards', '70'],
      ['From', `<sip:${fromUser}@${to.host}>;tag=${id()}`],
      ['To', `<${uri}>`],
      ['Call-ID', callId],
      ['CSeq', `1 ${method}`],
      ['Contact', `<sip:${fromUser}@${from.host}:${from.port}>`],
      ...headers,
    ],
    body,
  );
}

export const statusOf = ({ bytes }: Datagram): number | null =>
  readSip(bytes.toString('latin1'))?.status ?? null;

export class Probe {
  readonly #stranger: Stranger;
  readonly #service: Place;

  static async open(service: Place, host?: string): Promise<Probe> {
    return new Probe(await Stranger.open(host), service);
  }

  private constructor(stranger: Stranger, service: Place) {
    this.#stranger = stranger;
    this.#service = service;
  }

  /** Sends these bytes, and at once an OPTIONS after them, which must be answered. The milliseconds until then are a figure. */
  async after(bytes: Uint8Array | null, withinMs = 30_000): Promise<number> {
    const callId = id();
    const options = requestText('OPTIONS', this.#service, this.#stranger, { callId });
    this.#stranger.received.length = 0;
    const startMs = performance.now();
    if (bytes !== null) void this.#stranger.send(bytes, this.#service);
    void this.#stranger.send(options, this.#service);
    while (performance.now() - startMs < withinMs) {
      const answer = this.#stranger.received.find((each) => isFor(each, callId));
      if (answer !== undefined) return answer.atMs - startMs;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`The service did not answer an OPTIONS within ${withinMs} ms.`);
  }

  close(): void {
    this.#stranger.close();
  }
}

function isFor({ bytes }: Datagram, callId: string): boolean {
  return bytes.includes(callId) && bytes.includes('CSeq: 1 OPTIONS');
}

export function answersTo(stranger: Stranger, callId: string): SipText[] {
  return stranger.received
    .filter(({ bytes }) => bytes.includes(callId))
    .map(({ bytes }) => readSip(bytes.toString('latin1')))
    .filter((message) => message !== null);
}
