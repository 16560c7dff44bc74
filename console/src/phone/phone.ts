// The phone of this page: a phone session, its WebSocket, its calls. Without React.
import type { PhoneSessionMade } from '../../../client/operations.ts';
import { DialtreeError } from '../data/client.ts';
import { microphoneMissing } from './devices.ts';
import { KEEP_EVERY_MS, type KeptCall, keepCalls, takeKeptCalls } from './kept-calls.ts';
import { type CallView, PhoneCall } from './phone-call.ts';
import { addressOf, loadSip, makeAgent, type SipAgent, type SipCall } from './sip-agent.ts';

/** refused: the service gives no session, and asking again does not help. */
export type Connection = 'off' | 'connecting' | 'ready' | 'lost' | 'refused';

/** A value: it can be sent to other tabs. */
export interface PhoneView {
  readonly connection: Connection;
  /** The oldest first; those that ended stay until dismissed, or until another begins. */
  readonly calls: readonly CallView[];
}

export interface PhoneParts {
  /** Asks for a phone session, of an agent or of a destination. */
  readonly ask: () => Promise<PhoneSessionMade>;
  /** Whose calls they are, of those that are kept for a reload. */
  readonly owner: string;
  /** Where they are kept: of this tab, or of the browser, where one tab at a time is this phone. */
  readonly storage?: Storage;
  /** The own number: what an INVITE that takes a call up is sent to. A guest dials what the session says. */
  readonly number?: string;
}

export const NO_PHONE: PhoneView = { connection: 'off', calls: [] };

/** Ringing ones included. */
const MAX_CALLS = 4;
/** A session that its service does not know any more, after a restart, is not waited for longer. */
const RENEW_MS = 4_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/** The part of an event of JsSIP that is read here. */
interface NewSession {
  readonly session: SipCall;
  readonly originator: string;
}

interface PhoneLine {
  readonly agent: SipAgent;
  readonly made: PhoneSessionMade;
}

export class Phone {
  readonly #parts: PhoneParts;
  readonly #listeners = new Set<() => void>();
  #calls: PhoneCall[] = [];
  #connection: Connection = 'off';
  #view: PhoneView = NO_PHONE;
  #line: PhoneLine | null = null;
  #error: unknown = null;
  /** Counts start() and stop(): what belongs to a former round is dropped. */
  #round = 0;
  #waitMs = FIRST_WAIT_MS;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #keeping: ReturnType<typeof setInterval> | undefined;

  constructor(parts: PhoneParts) {
    this.#parts = parts;
  }

  get view(): PhoneView {
    return this.#view;
  }

  /** Why it is refused. */
  get error(): unknown {
    return this.#error;
  }

  get calls(): readonly PhoneCall[] {
    return this.#calls;
  }

  find(id: string): PhoneCall | undefined {
    return this.#calls.find(({ view }) => view.id === id);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Also takes up the calls that this tab had before a reload. */
  start(): void {
    if (this.#connection !== 'off') return;
    const kept = takeKeptCalls(this.#parts.owner, this.#parts.storage ?? sessionStorage);
    this.#calls = kept.map((each) => this.#newCall(each));
    this.#keeping = setInterval(() => this.#keep(), KEEP_EVERY_MS);
    addEventListener('pagehide', this.#keep);
    addEventListener('online', this.#online);
    void this.#open();
  }

  /** Hangs up. */
  stop(): void {
    this.#round += 1;
    clearTimeout(this.#renewal);
    clearInterval(this.#keeping);
    removeEventListener('pagehide', this.#keep);
    removeEventListener('online', this.#online);
    for (const call of this.#calls) call.hangUp();
    this.#calls = [];
    this.#keep();
    this.#line?.agent.stop();
    this.#line = null;
    this.#set('off');
  }

  /** A guest's session says what is dialled. Null: it is not connected. */
  call(number: string | null, name = ''): PhoneCall | null {
    const dialled = number ?? this.#line?.made.dial ?? null;
    if (this.#connection !== 'ready' || dialled === null) return null;
    const call = this.#newCall({ direction: 'out', number: dialled, name });
    this.#add(call);
    void this.#dial(call, dialled, []);
    return call;
  }

  async answer(call: PhoneCall): Promise<void> {
    await this.#holdOthers(call);
    await call.answer();
  }

  /** Talks in this call; the others are held. */
  async resume(call: PhoneCall): Promise<void> {
    await this.#holdOthers(call);
    await call.hold(false);
  }

  /** The other sides of two calls of this page talk to each other; both calls end here. One of them must have been called from here. */
  join(call: PhoneCall, other: PhoneCall): void {
    const [from, to] = other.view.direction === 'out' ? [call, other] : [other, call];
    from.transfer(to.view.number, to);
  }

  dismiss(call: PhoneCall): void {
    if (call.isOver) this.#calls = this.#calls.filter((each) => each !== call);
    this.#changed();
  }

  #newCall(begun: ConstructorParameters<typeof PhoneCall>[0]): PhoneCall {
    return new PhoneCall(begun, {
      iceServers: () => this.#line?.made.ice_servers ?? [],
      onChange: () => this.#changed(),
      onLost: (call) => {
        if (this.#connection === 'ready') void this.#takeUp(call);
      },
    });
  }

  #add(call: PhoneCall): void {
    this.#calls = [...this.#calls.filter((each) => !each.isOver), call];
    this.#changed();
  }

  async #open(): Promise<void> {
    const round = ++this.#round;
    clearTimeout(this.#renewal);
    this.#set(this.#connection === 'off' ? 'connecting' : this.#connection);
    try {
      if (microphoneMissing() !== null) return this.#set('refused');
      const [sip, made] = await Promise.all([loadSip(), this.#parts.ask()]);
      if (round !== this.#round) return;
      const agent = makeAgent(sip, made);
      this.#line = { agent, made };
      this.#listen(agent, made.may.includes('register'));
      this.#renewal = setTimeout(() => this.#renew(agent), RENEW_MS + this.#waitMs);
      agent.start();
    } catch (error) {
      if (round === this.#round) this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#error = error;
    // The service refuses for good: not allowed, not there, telephones are off.
    if (error instanceof DialtreeError && error.status < 500 && error.status !== 429)
      return this.#set('refused');
    this.#set('lost');
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => void this.#open(), this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  #listen(agent: SipAgent, registers: boolean): void {
    const mine = (act: () => void) => () => {
      if (this.#line?.agent === agent) act();
    };
    agent.on(
      registers ? 'registered' : 'connected',
      mine(() => this.#ready()),
    );
    agent.on(
      'registrationFailed',
      mine(() => this.#renew(agent)),
    );
    agent.on(
      'disconnected',
      mine(() => this.#disconnected(agent)),
    );
    agent.on('newRTCSession', ({ session, originator }: NewSession) => {
      if (originator === 'remote' && this.#line?.agent === agent) this.#comes(session);
    });
  }

  #ready(): void {
    if (this.#connection === 'ready') return;
    clearTimeout(this.#renewal);
    this.#waitMs = FIRST_WAIT_MS;
    this.#error = null;
    this.#set('ready');
    for (const call of this.#calls) {
      if (call.isOver || !call.view.isLost) continue;
      if (call.hasDialog) void call.restartIce();
      else void this.#takeUp(call);
    }
  }

  /** JsSIP opens its WebSocket again with the same session, at once and for as long as that is worth while. */
  #disconnected(agent: SipAgent): void {
    for (const call of this.#calls) call.lost();
    clearTimeout(this.#renewal);
    this.#renewal = setTimeout(() => this.#renew(agent), RENEW_MS);
    this.#set('lost');
  }

  /** Another session, whose dialogs take the place of those that are. */
  #renew(agent: SipAgent): void {
    if (this.#line?.agent !== agent) return;
    for (const call of this.#calls) {
      call.lost();
      call.detach();
    }
    this.#line = null;
    agent.stop();
    this.#set('lost');
    this.#later();
  }

  /** The network is back: what waits does not wait longer. */
  readonly #online = (): void => {
    if (this.#connection !== 'lost') return;
    if (this.#line) this.#renew(this.#line.agent);
    this.#waitMs = FIRST_WAIT_MS;
    void this.#open();
  };

  #comes(sip: SipCall): void {
    if (this.#calls.filter(({ isOver }) => !isOver).length >= MAX_CALLS)
      return sip.terminate({ status_code: 486 });
    const { uri, display_name } = sip.remote_identity;
    const call = this.#newCall({ direction: 'in', number: unescaped(uri.user), name: display_name ?? '' });
    call.attach(sip);
    this.#add(call);
  }

  async #takeUp(call: PhoneCall): Promise<void> {
    const { replaces } = call;
    const to = this.#parts.number ?? this.#line?.made.dial ?? '';
    if (replaces === null) call.over({ by: 'network', status: null, isElsewhere: false, fault: null });
    else await this.#dial(call, to, [`Replaces: ${replaces}`]);
  }

  async #dial(call: PhoneCall, to: string, extraHeaders: string[]): Promise<void> {
    if (!call.view.isHeld) await this.#holdOthers(call);
    if (!(await call.openSound())) return;
    const { agent } = this.#line ?? {};
    if (!agent) return call.lost();
    call.attach(agent.call(addressOf(to), { ...call.options, extraHeaders }));
  }

  async #holdOthers(call: PhoneCall): Promise<void> {
    await Promise.all(
      this.#calls.filter((each) => each !== call && !each.view.isLost).map((each) => each.hold(true)),
    );
  }

  readonly #keep = (): void => {
    const kept = this.#calls.map((call) => call.kept).filter((each): each is KeptCall => each !== null);
    keepCalls(this.#parts.owner, kept, this.#parts.storage ?? sessionStorage);
  };

  #set(connection: Connection): void {
    this.#connection = connection;
    this.#changed();
  }

  #changed(): void {
    this.#view = { connection: this.#connection, calls: this.#calls.map(({ view }) => view) };
    this.#keep();
    for (const listener of this.#listeners) listener();
  }
}

/** What callers write is shown as it is where it is no escape. */
function unescaped(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
