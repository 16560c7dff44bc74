// A call of a visitor: microphone, phone session, SIP and sound, from the click to the end.
import { SipCall } from './sip-call.ts';

/** Why a call came to nothing, or ended; `done`: as it should. */
export type Ending =
  | 'done'
  | 'microphone'
  | 'unsupported'
  | 'refused'
  | 'busy'
  | 'unanswered'
  | 'lost'
  | 'failed';

export type CallState =
  | { readonly phase: 'microphone' | 'connecting' | 'ringing' | 'talking' }
  | { readonly phase: 'ended'; readonly ending: Ending };

export interface WebCallOptions {
  /** Origin of the service. */
  readonly service: string;
  /** Public key of the button. */
  readonly key: string;
  readonly name: string;
  readonly page: string;
  readonly onState: (state: CallState) => void;
}

interface Session {
  readonly username: string;
  readonly password: string;
  readonly path: string;
  readonly dial: string;
  readonly ice_servers: RTCIceServer[];
}

/** Digits of a keypad, long enough for every menu. */
const TONE_MS = 160;
const GAP_MS = 70;
const MAX_RESTARTS = 3;

export class WebCall {
  readonly #options: WebCallOptions;
  readonly #sound = new Audio();
  #microphone: MediaStream | null = null;
  #connection: RTCPeerConnection | null = null;
  #sip: SipCall | null = null;
  #isOver = false;
  #restarts = 0;

  constructor(options: WebCallOptions) {
    this.#options = options;
    this.#sound.autoplay = true;
    void this.#start().catch((error: unknown) => this.#end(endingOf(error)));
  }

  get isMuted(): boolean {
    return this.#microphone?.getAudioTracks().some(({ enabled }) => !enabled) ?? false;
  }

  mute(isMuted: boolean): void {
    for (const track of this.#microphone?.getAudioTracks() ?? []) track.enabled = !isMuted;
  }

  /** As telephone-event (RFC 4733). */
  press(key: string): void {
    const sender = this.#connection?.getSenders().find(({ dtmf }) => dtmf);
    if (sender?.dtmf?.canInsertDTMF) sender.dtmf.insertDTMF(sender.dtmf.toneBuffer + key, TONE_MS, GAP_MS);
  }

  hangUp(): void {
    this.#sip?.hangUp();
    this.#end('done');
  }

  async #start(): Promise<void> {
    const { onState, service } = this.#options;
    // Pages without TLS have no microphone.
    if (!navigator.mediaDevices || !globalThis.RTCPeerConnection) return this.#end('unsupported');
    onState({ phase: 'microphone' });
    const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
    this.#microphone = microphone;
    if (this.#isOver) return this.#release();
    onState({ phase: 'connecting' });
    const session = await this.#session();
    if (this.#isOver) return;
    const connection = this.#connect(session, microphone);
    await connection.setLocalDescription();
    if (this.#isOver) return;
    const url = new URL(session.path, service.replace(/^http/, 'ws'));
    this.#sip = new SipCall({ ...session, url: url.href, host: url.host }, this.#user(connection));
    // ICE candidates are not waited for: the service is a lite agent, and learns where we are from our checks.
    this.#sip.start(connection.localDescription?.sdp ?? '');
  }

  async #session(): Promise<Session> {
    const { service, key, name, page } = this.#options;
    const response = await fetch(`${service}/v1/call_button/${encodeURIComponent(key)}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      body: JSON.stringify({ name: name.slice(0, 80), page: page.slice(0, 500) }),
    });
    if (response.ok) return response.json();
    throw new Refused(response.status === 403 ? 'refused' : response.status === 429 ? 'busy' : 'failed');
  }

  #connect({ ice_servers }: Session, microphone: MediaStream): RTCPeerConnection {
    const connection = new RTCPeerConnection({ iceServers: ice_servers, bundlePolicy: 'max-bundle' });
    this.#connection = connection;
    for (const track of microphone.getAudioTracks()) connection.addTrack(track, microphone);
    connection.ontrack = ({ streams: [stream], track }) => {
      this.#sound.srcObject = stream ?? new MediaStream([track]);
      void this.#sound.play().catch(() => undefined);
    };
    connection.onconnectionstatechange = () => {
      if (connection.connectionState === 'failed') void this.#restart();
      if (connection.connectionState === 'connected') this.#restarts = 0;
    };
    return connection;
  }

  #user(connection: RTCPeerConnection): ConstructorParameters<typeof SipCall>[1] {
    const { onState } = this.#options;
    let isTalking = false;
    return {
      rang: () => onState({ phase: 'ringing' }),
      answered: (sdp, isEarly) => {
        const type = isEarly ? 'pranswer' : 'answer';
        if (!isEarly && !isTalking) {
          isTalking = true;
          onState({ phase: 'talking' });
        }
        connection.setRemoteDescription({ type, sdp }).catch(() => {
          if (!isEarly) this.#fail();
        });
      },
      offered: async (sdp) => {
        if (sdp) await connection.setRemoteDescription({ type: 'offer', sdp });
        await connection.setLocalDescription();
        return connection.localDescription?.sdp ?? '';
      },
      refused: () => void connection.setLocalDescription({ type: 'rollback' }).catch(() => undefined),
      reconnected: () => void this.#restart(),
      ended: (status) => this.#end(endingOfStatus(status)),
    };
  }

  /** Our network has changed: an ICE restart by re-INVITE. */
  async #restart(): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#isOver || connection.signalingState !== 'stable') return;
    this.#restarts += 1;
    if (this.#restarts > MAX_RESTARTS) return this.#fail();
    connection.restartIce();
    await connection.setLocalDescription();
    const isSent = this.#sip?.reoffer(connection.localDescription?.sdp ?? '') ?? false;
    if (!isSent) await connection.setLocalDescription({ type: 'rollback' });
  }

  #fail(): void {
    this.#sip?.hangUp();
    this.#end('failed');
  }

  #end(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
    this.#options.onState({ phase: 'ended', ending });
  }

  #release(): void {
    for (const track of this.#microphone?.getTracks() ?? []) track.stop();
    this.#connection?.close();
    this.#sound.srcObject = null;
  }
}

class Refused extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending);
    this.ending = ending;
  }
}

function endingOf(error: unknown): Ending {
  if (error instanceof Refused) return error.ending;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (['NotAllowedError', 'NotFoundError', 'NotReadableError', 'SecurityError'].includes(name))
    return 'microphone';
  // Without CORS a page is shown no answer, so a refusal looks like a service that is away.
  if (name === 'TypeError') return navigator.onLine ? 'refused' : 'lost';
  return 'failed';
}

function endingOfStatus(status: number): Ending {
  if (status === 0) return 'lost';
  if (status < 300) return 'done';
  if ([486, 503, 600].includes(status)) return 'busy';
  if ([408, 480].includes(status)) return 'unanswered';
  return status === 403 || status === 401 ? 'refused' : 'failed';
}
