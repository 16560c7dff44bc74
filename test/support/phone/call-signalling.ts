// A call within its dialog, in either direction: SDP, re-INVITE, REFER, BYE. phone-call.ts adds how it begins.
import { randomBytes } from 'node:crypto';
import { CallSound } from './call-sound.ts';
import type { Dialog } from './dialog.ts';
import { eventually, type Wait } from './eventually.ts';
import type { CallingPhone } from './phone-options.ts';
import { PhoneSrtp } from './phone-srtp.ts';
import type { RtpEndpoint } from './rtp-endpoint.ts';
import { makeSdp, ourCrypto, type RemoteMedia, readSdp, type SdpOptions } from './sdp-text.ts';
import { type Headers, parameter, type SipText } from './sip-text.ts';
import type { Peer } from './wire.ts';

export interface CallEnd {
  readonly by: 'us' | 'peer';
  readonly how: 'bye' | 'cancel' | 'refused';
  /** The final response that refused the INVITE. */
  readonly status: number | null;
  /** Q.850, from a Reason header. */
  readonly cause: number | null;
  readonly text: string;
}

export interface CallParts {
  readonly phone: CallingPhone;
  readonly rtp: RtpEndpoint;
  readonly startedMs: number;
  readonly dialog: Dialog;
  readonly sdp: SdpOptions;
}

export const SDP: Headers = [['Content-Type', 'application/sdp']];

export abstract class CallSignalling extends CallSound {
  readonly dialog: Dialog;
  /** The final response to the INVITE. */
  status: number | null = null;
  /** Bodies of INFO requests that came. */
  readonly infos: string[] = [];
  /** Bodies of NOTIFY requests that came: sipfrags after a REFER. */
  readonly notifications: string[] = [];
  /** What the other side last described. */
  remote: RemoteMedia | null = null;
  /** Bodies of every offer and answer that came, oldest first. */
  readonly descriptions: string[] = [];
  end: CallEnd | null = null;
  /** Whether 2xx and ACK were exchanged. */
  confirmed = false;
  protected readonly phone: CallingPhone;
  protected sdp: SdpOptions;
  #version = 0;
  #repeat: NodeJS.Timeout | null = null;

  constructor(parts: CallParts) {
    super(parts.rtp, parts.startedMs);
    this.phone = parts.phone;
    this.dialog = parts.dialog;
    this.sdp = { ...parts.phone.options.sdp, ...parts.sdp };
  }

  /** The other side took its call back before the answer. */
  protected abstract cancelled(request: SipText): void;

  async ended(wait: Wait = {}): Promise<CallEnd> {
    return eventually(
      () => this.end,
      wait,
      () => `the call did not end; the wire saw:\n${this.phone.ladder()}`,
    );
  }

  /** A re-INVITE; the status of its final response. A string is sent as it is; an empty one asks for the other side's offer. */
  reinvite(sdp: SdpOptions | string = {}): Promise<number> {
    return this.#renegotiate('INVITE', sdp);
  }

  /** By a re-INVITE without SDP: the other side offers, and our ACK says this. */
  redescribe(direction: NonNullable<SdpOptions['direction']>): Promise<number> {
    this.sdp = { ...this.sdp, direction };
    return this.reinvite('');
  }

  update(sdp: SdpOptions | string = {}): Promise<number> {
    return this.#renegotiate('UPDATE', sdp);
  }

  hold(): Promise<number> {
    return this.reinvite({ direction: 'sendonly' });
  }

  resume(): Promise<number> {
    return this.reinvite({ direction: 'sendrecv' });
  }

  /** The status of the REFER; NOTIFYs collect in `notifications`. */
  async refer(to: string, headers: Headers = []): Promise<number> {
    const uri = to.startsWith('sip:') ? to : `sip:${to}@${this.phone.options.server.host}`;
    return (await this.dialog.request('REFER', [['Refer-To', `<${uri}>`], ...headers])).status ?? 0;
  }

  async info(key: string, durationMs = 160): Promise<number> {
    const type = [['Content-Type', 'application/dtmf-relay']] as const;
    const response = await this.dialog.request('INFO', type, `Signal=${key}\r\nDuration=${durationMs}\r\n`);
    return response.status ?? 0;
  }

  /** Without a word, as a phone that lost its power. */
  abandon(): void {
    this.finish({ by: 'us', how: 'bye', status: null, cause: null, text: 'abandoned' });
  }

  /** A request of the other side within this dialog; for Phone alone. */
  requested(request: SipText, from: Peer): void {
    const respond = (first: string): void => {
      this.phone.transactions.respond(request, from, first, [['To', this.dialog.local]]);
    };
    switch (request.method) {
      case 'ACK':
        this.#acknowledged(request);
        return;
      case 'BYE':
        respond('200 OK');
        this.finish({ by: 'peer', how: 'bye', status: null, ...reasonOf(request) });
        return;
      case 'CANCEL':
        respond('200 OK');
        if (this.status === null) this.cancelled(request);
        return;
      case 'INVITE':
      case 'UPDATE':
        if (this.end !== null) respond('481 No such call');
        else this.accept(request, from);
        return;
      case 'INFO':
        this.infos.push(request.body);
        break;
      case 'NOTIFY':
        this.notifications.push(request.body);
    }
    respond('200 OK');
  }

  /** 2xx to an INVITE or UPDATE, the first one or a later one. An INVITE's is repeated until its ACK. */
  protected accept(request: SipText, from: Peer): void {
    this.dialog.refreshTarget(request);
    this.remoteSays(request.body);
    const isOffer = request.body !== '';
    const body = (isOffer && this.sdp.answers?.(request.body)) || this.describe(isOffer ? this.remote : null);
    const headers: Headers = [['To', this.dialog.local], ['Contact', this.phone.contact], ...SDP];
    const send = (): void => {
      this.phone.transactions.respond(request, from, '200 OK', headers, body);
    };
    send();
    if (isOffer) this.converse();
    if (request.method === 'INVITE' && this.#repeat === null) this.#repeat = setInterval(send, 500);
  }

  /** RFC 3261 §13.2.2.4: the ACK of a 2xx, a transaction of its own. */
  protected acknowledge(cseq: number, answer = ''): void {
    if (this.phone.faults.dropAck) return;
    this.phone.transactions.sendOnce(this.dialog.build('ACK', answer === '' ? [] : SDP, answer, cseq));
  }

  protected describe(answers: RemoteMedia | null = null): string {
    if (this.sdp.srtp && this.sdp.srtp.key === undefined)
      this.sdp = { ...this.sdp, srtp: { ...this.sdp.srtp, key: randomBytes(30).toString('base64') } };
    this.#version += 1;
    const place = { host: this.phone.host, port: this.rtp.port, version: this.#version };
    return makeSdp(this.sdp, place, answers);
  }

  protected remoteSays(body: string): void {
    if (body === '') return;
    this.descriptions.push(body);
    this.remote = readSdp(body, this.sdp.codecs) ?? this.remote;
  }

  /** Sends and hears as both sides described it last. */
  protected converse(): void {
    if (this.end !== null) return;
    const theirs = this.remote?.direction ?? 'sendrecv';
    const wish = this.sdp.direction ?? 'sendrecv';
    const wanted = theirs === 'sendrecv' || theirs === 'recvonly';
    const sends = wanted && (wish === 'sendrecv' || wish === 'sendonly');
    const ours = ourCrypto(this.sdp, this.remote);
    const given = this.remote?.crypto;
    this.rtp.configure(this.remote, sends && this.remote?.address !== '0.0.0.0');
    const keyed = ours && given;
    if (!keyed) this.rtp.srtp = null;
    else if (this.rtp.srtp?.id !== PhoneSrtp.idOf(ours, given))
      this.rtp.srtp = new PhoneSrtp(ours, given, this.rtp.srtp);
  }

  protected finish(end: CallEnd): void {
    if (this.end !== null) return;
    this.end = end;
    if (this.#repeat !== null) clearInterval(this.#repeat);
    this.rtp.close();
  }

  #acknowledged(ack: SipText): void {
    if (this.#repeat !== null) clearInterval(this.#repeat);
    this.#repeat = null;
    if (this.status !== null && this.status >= 300) return;
    this.confirmed = true;
    this.remoteSays(ack.body);
    this.converse();
  }

  async #renegotiate(method: 'INVITE' | 'UPDATE', sdp: SdpOptions | string): Promise<number> {
    const before = this.sdp;
    const { raw: _, ...kept } = before;
    this.sdp = typeof sdp === 'string' ? { ...kept, raw: sdp } : { ...kept, ...sdp };
    const response = await this.dialog.request(method, sdp === '' ? [] : SDP, this.describe());
    const status = response.status ?? 0;
    if (status >= 300) {
      this.sdp = before;
      return status;
    }
    this.dialog.refreshTarget(response);
    this.remoteSays(response.body);
    if (sdp === '') this.sdp = kept;
    if (method === 'INVITE') this.acknowledge(this.dialog.cseq, sdp === '' ? this.describe(this.remote) : '');
    this.converse();
    return status;
  }
}

/** RFC 3326. */
export function reasonOf(message: SipText): { readonly cause: number | null; readonly text: string } {
  const reason = message.headers.filter(([name]) => name === 'reason').map(([, value]) => value);
  const q850 = reason.find((value) => value.startsWith('Q.850'));
  const cause = q850 === undefined ? null : parameter(q850, 'cause');
  return { cause: cause === null ? null : Number(cause), text: reason.join(', ') || message.first };
}
