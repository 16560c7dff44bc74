// One call of the phone: how it is placed or taken. What follows is in call-signalling.ts, what is heard in call-sound.ts.
import { type CallParts, CallSignalling, reasonOf, SDP } from './call-signalling.ts';
import { eventually, type Wait } from './eventually.ts';
import type { SdpOptions } from './sdp-text.ts';
import { type Headers, header, parameter, type SipText, uriIn, userOf } from './sip-text.ts';
import type { Outgoing } from './transactions.ts';
import type { Peer } from './wire.ts';

export interface CallOptions {
  readonly sdp?: SdpOptions;
  /** The INVITE has no SDP: the other side offers, our ACK answers. */
  readonly delayedOffer?: boolean;
  /** Further headers of the INVITE. */
  readonly headers?: Headers;
  readonly callId?: string;
}

const ALLOW = ['Allow', 'INVITE, ACK, CANCEL, BYE, INFO, UPDATE, NOTIFY, OPTIONS, PRACK'] as const;

export class PhoneCall extends CallSignalling {
  /** The INVITE that came in; null: we placed the call. */
  readonly invite: SipText | null;
  /** Statuses of provisional responses, in order. */
  readonly progress: number[] = [];
  /** The response that ended the INVITE. */
  finalResponse: SipText | null = null;
  readonly #options: CallOptions;
  readonly #from: Peer | null;
  #sent: Outgoing | null = null;
  #cancelled = false;
  /** Our answer in the ACK, the same each time. */
  #answer: string | null = null;

  constructor(parts: CallParts, options: CallOptions, incoming: { invite: SipText; from: Peer } | null) {
    super(parts);
    this.#options = options;
    this.invite = incoming?.invite ?? null;
    this.#from = incoming?.from ?? null;
    if (this.invite !== null) this.remoteSays(this.invite.body);
  }

  /** The user part of what was dialled to reach us. */
  get dialled(): string {
    return this.invite === null ? '' : userOf(this.invite.uri);
  }

  /** The user part of who calls us. */
  get caller(): string {
    return this.invite === null ? '' : userOf(uriIn(header(this.invite, 'from')));
  }

  /** Sends the INVITE; for Phone.call alone. */
  async place(): Promise<void> {
    const body = this.#options.delayedOffer === true ? '' : this.describe();
    let response = await this.#sendInvite(body, []);
    const credentials = this.phone.credentials(response, 'INVITE', this.#sent?.uri ?? '');
    if (credentials !== null && !this.#cancelled) {
      this.dialog.cseq += 1;
      response = await this.#sendInvite(body, [credentials]);
    }
    this.#final(response);
  }

  /** Waits for the 2xx. Throws with the status when the call was refused. */
  async answered(wait: Wait = {}): Promise<this> {
    const status = await this.finished(wait);
    if (status >= 300) throw new Error(`the call was refused: ${this.finalResponse?.first ?? status}`);
    return this;
  }

  /** Waits for a final response and gives its status, whichever it is. */
  finished(wait: Wait = {}): Promise<number> {
    return eventually(
      () => this.status,
      wait,
      () => `no final response came; the wire saw:\n${this.phone.ladder()}`,
    );
  }

  /** Waits for a provisional response of that status. */
  async progressed(status: number, wait: Wait = {}): Promise<void> {
    await eventually(
      () => this.progress.includes(status),
      wait,
      () => `${status} did not come, but ${this.progress.join(', ') || 'nothing'}`,
    );
  }

  /** CANCEL, as soon as a provisional response allows it. The INVITE's own end comes by `ended`. */
  async cancel(headers: Headers = []): Promise<number> {
    this.#cancelled = true;
    // RFC 3261 §9.1: not before a provisional response, and with the INVITE's own URI, To and branch.
    await eventually(
      () => this.progress.length > 0 || this.status !== null,
      {},
      () => 'nothing came that could be cancelled',
    );
    const sent = this.#sent;
    if (sent === null) throw new Error('only a call that we placed can be cancelled');
    const kept = sent.headers.filter(([name]) =>
      ['Max-Forwards', 'From', 'To', 'Call-ID', 'Route'].includes(name),
    );
    const cseq = ['CSeq', `${this.dialog.cseq} CANCEL`] as const;
    const { uri, to, branch = '' } = sent;
    const all = [...kept, cseq, ...headers];
    return (
      (await this.phone.transactions.request({ method: 'CANCEL', uri, to, branch, headers: all })).status ?? 0
    );
  }

  /** 180, or 183 with SDP for early media. */
  ring(status: 180 | 183 = 180): void {
    if (status === 180) this.#respond('180 Ringing', []);
    else {
      this.#respond('183 Session Progress', SDP, this.describe(this.remote));
      this.converse();
    }
  }

  /** 200 with our answer, or with our offer when the INVITE had none. Resolves when the ACK came. */
  async answer(sdp: SdpOptions = {}, wait: Wait = {}): Promise<this> {
    this.sdp = { ...this.sdp, ...sdp };
    if (this.invite === null || this.#from === null)
      throw new Error('only a call that came in can be answered');
    if (this.end !== null) throw new Error(`the call ended already: ${this.end.text}`);
    this.status = 200;
    this.accept(this.invite, this.#from);
    await eventually(
      () => this.confirmed,
      wait,
      () => `the ACK did not come; the wire saw:\n${this.phone.ladder()}`,
    );
    return this;
  }

  reject(status: number, reason = 'Refused', headers: Headers = []): void {
    this.status = status;
    this.#respond(`${status} ${reason}`, headers);
    this.finish({ by: 'us', how: 'refused', status, cause: null, text: reason });
  }

  /** BYE, CANCEL or a refusal, whatever fits. */
  async hangUp(headers: Headers = []): Promise<void> {
    if (this.end !== null) return;
    if (this.status === null && this.invite !== null) this.reject(480, 'Temporarily Unavailable');
    else if (this.status === null) await this.cancel(headers);
    else {
      this.finish({ by: 'us', how: 'bye', status: null, cause: null, text: 'hung up' });
      if (!this.phone.faults.dropBye) await this.dialog.request('BYE', headers);
    }
  }

  protected override cancelled(request: SipText): void {
    this.status = 487;
    this.#respond('487 Request Terminated', []);
    this.finish({ by: 'peer', how: 'cancel', status: 487, ...reasonOf(request) });
  }

  #sendInvite(body: string, credentials: Headers): Promise<SipText> {
    const more: Headers = [
      ALLOW,
      ...credentials,
      ...(this.#options.headers ?? []),
      ...(body === '' ? [] : SDP),
    ];
    const request = this.dialog.build('INVITE', more, body, this.dialog.cseq);
    const name = this.phone.options.displayName;
    const headers = name === undefined ? request.headers : named(request.headers, name);
    const branch = this.phone.transactions.newBranch();
    this.#sent = { ...request, headers, branch, onResponse: (response) => this.#provisional(response) };
    return this.phone.transactions.request(this.#sent);
  }

  #provisional(response: SipText): void {
    const status = response.status ?? 0;
    if (status >= 200) {
      // The 2xx came again: our ACK was lost.
      this.#confirm(response);
      return;
    }
    this.progress.push(status);
    if (parameter(header(response, 'to'), 'tag') !== null && this.status === null)
      this.dialog.established(response);
    this.remoteSays(response.body);
    if (response.body !== '') this.converse();
    const rseq = header(response, 'rseq');
    // RFC 3262 §4.
    if (rseq !== '') void this.dialog.request('PRACK', [['RAck', `${rseq} ${header(response, 'cseq')}`]]);
  }

  #final(response: SipText): void {
    this.finalResponse = response;
    const status = response.status ?? 0;
    if (status >= 300) {
      this.status = status;
      const by = this.#cancelled ? 'us' : 'peer';
      this.finish({ by, how: this.#cancelled ? 'cancel' : 'refused', status, ...reasonOf(response) });
      return;
    }
    this.dialog.established(response);
    this.remoteSays(response.body);
    this.#confirm(response);
    this.confirmed = true;
    this.status = status;
    this.converse();
    // RFC 3261 §15: the answer crossed our CANCEL.
    if (this.#cancelled) void this.hangUp();
  }

  #confirm(response: SipText): void {
    const cseq = Number(header(response, 'cseq').split(' ')[0]);
    if (this.#options.delayedOffer === true) this.#answer ??= this.describe(this.remote);
    this.acknowledge(cseq, this.#answer ?? '');
  }

  #respond(first: string, headers: Headers, body = ''): void {
    if (this.invite === null || this.#from === null)
      throw new Error('only a call that came in has a response');
    const all: Headers = [['To', this.dialog.local], ['Contact', this.phone.contact], ...headers];
    this.phone.transactions.respond(this.invite, this.#from, first, all, body);
  }
}

function named(headers: Headers, name: string): Headers {
  return headers.map(([key, value]) => [key, key === 'From' ? `"${name}" ${value}` : value] as const);
}
