// A caller who says what it likes: an INVITE with any description, an ACK or none, a BYE or none.
import { randomBytes } from 'node:crypto';
import { eventually } from '../../support/phone/eventually.ts';
import { header, readSip, type SipText, writeSip } from '../../support/phone/sip-text.ts';
import { type Place, Stranger } from './stranger.ts';

export const sdpAt = ({ host, port }: Place): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${host}`,
    's=-',
    `c=IN IP4 ${host}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n');

export class RawCaller {
  readonly stranger: Stranger;
  readonly #service: Place;
  readonly #callId = randomBytes(8).toString('hex');
  readonly #tag = randomBytes(6).toString('hex');
  #uri = '';
  #to = '';

  static async open(service: Place, host?: string): Promise<RawCaller> {
    return new RawCaller(await Stranger.open(host), service);
  }

  private constructor(stranger: Stranger, service: Place) {
    this.stranger = stranger;
    this.#service = service;
  }

  /** Sends one INVITE and waits for its final response. */
  async invite(number: string, media: Place): Promise<SipText> {
    this.#uri = `sip:${number}@${this.#service.host}:${this.#service.port}`;
    this.#to = `<${this.#uri}>`;
    await this.#send('INVITE', 1, sdpAt(media));
    const response = await eventually(
      () => this.responses().find(({ status }) => (status ?? 0) >= 200),
      {},
      () => 'no answer',
    );
    this.#to = header(response, 'to');
    return response;
  }

  ack(): Promise<void> {
    return this.#send('ACK', 1);
  }

  bye(): Promise<void> {
    return this.#send('BYE', 2);
  }

  responses(): SipText[] {
    return this.messages().filter(({ status }) => status !== null);
  }

  messages(): SipText[] {
    return this.stranger.received
      .map(({ bytes }) => readSip(bytes.toString('latin1')))
      .filter((each) => each !== null);
  }

  close(): void {
    this.stranger.close();
  }

  #send(method: string, cseq: number, body = ''): Promise<void> {
    const { host, port } = this.stranger;
    const text = writeSip(
      `${method} ${this.#uri} SIP/2.0`,
      [
        ['Via', `SIP/2.0/UDP ${host}:${port};branch=z9hG4bK${randomBytes(8).toString('hex')};rport`],
        ['Max-Forwards', '70'],
        ['From', `<sip:raw@${host}>;tag=${this.#tag}`],
        ['To', this.#to],
        ['Call-ID', this.#callId],
        ['CSeq', `${cseq} ${method}`],
        ['Contact', `<sip:raw@${host}:${port}>`],
        ...(body === '' ? [] : [['Content-Type', 'application/sdp'] as const]),
      ],
      body,
    );
    return this.stranger.send(text, this.#service);
  }
}
