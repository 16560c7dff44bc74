// Telephony without telephones, for the tests of calls. Nothing happens by itself.
import type {
  DialOptions,
  Peer,
  PhoneBinding,
  Refusal,
  Target,
  Telephony,
  TelephonyReport,
  TelephonyUser,
  Trunk,
} from '../telephony.ts';
import { FakeLeg } from './fake-leg.ts';

export class FakeTelephony implements Telephony {
  readonly #user: TelephonyUser;
  readonly #legs = new Set<FakeLeg>();
  readonly #registered = new Set<string>();
  /** Every leg that was dialled, newest last. */
  readonly dialled: FakeLeg[] = [];
  readonly targets: Target[] = [];
  /** Every leg that came in, newest last. */
  readonly came: FakeLeg[] = [];
  trunks: readonly Trunk[] = [];
  #nextId = 1;
  #draining = false;

  constructor(user: TelephonyUser) {
    this.#user = user;
  }

  async call(
    dialled: string,
    {
      peer = { kind: 'local' },
      caller = '+15550100',
      toUser = dialled,
    }: { peer?: Peer; caller?: string | null; toUser?: string } = {},
  ): Promise<FakeLeg | Refusal> {
    if (this.#draining) return { status: 503, retryAfterSeconds: 5 };
    const may = this.#user.mayCall(peer);
    if ('status' in may) return may;
    const leg = this.#leg('incoming', dialled);
    this.came.push(leg);
    const refusal = await this.#user.called({
      leg,
      peer,
      dialled,
      toUser,
      caller,
      callerName: '',
      callId: leg.callId,
    });
    if (!refusal) return leg;
    this.#legs.delete(leg);
    return refusal;
  }

  register(id: string): void {
    this.#registered.add(id);
  }

  setTrunks(trunks: readonly Trunk[]): void {
    this.trunks = trunks;
  }

  checkPhones(): void {}

  dial(target: Target, _options: DialOptions): FakeLeg | null {
    if (target.kind === 'phones' && !this.#registered.has(target.id)) return null;
    if (target.kind === 'trunk' && !this.trunks.some(({ id }) => id === target.id)) return null;
    const leg = this.#leg(
      'outgoing',
      target.kind === 'phones' ? target.id : `${target.number} by ${target.id}`,
    );
    this.dialled.push(leg);
    this.targets.push(target);
    return leg;
  }

  phonesOf(id: string): readonly PhoneBinding[] {
    return this.#registered.has(id)
      ? [
          {
            contact: `sip:${id}@fake`,
            userAgent: 'fake',
            expiresAtMs: Number.MAX_SAFE_INTEGER,
            address: 'fake',
            reachable: true,
          },
        ]
      : [];
  }

  trunkState(_id: string): { registered: boolean | null; calls: number; problem: string | null } {
    return { registered: null, calls: 0, problem: null };
  }

  drain(): void {
    this.#draining = true;
  }

  get legs(): number {
    return this.#legs.size;
  }

  report(): TelephonyReport {
    return {
      listening: [],
      mediaAdapter: 'fake',
      legs: this.legs,
      transactions: 0,
      registrations: this.#registered.size,
      trunks: { registered: 0, failing: 0, unregistered: 0 },
      bans: 0,
      streams: this.legs,
      readyStreams: 0,
    };
  }

  async close(): Promise<void> {
    for (const leg of [...this.#legs]) leg.hangUp();
  }

  #leg(direction: FakeLeg['direction'], address: string): FakeLeg {
    const leg = new FakeLeg(`call-${this.#nextId++}`, direction, address, (gone) => this.#legs.delete(gone));
    this.#legs.add(leg);
    return leg;
  }
}
