// Telephony without telephones, for the tests of calls. Nothing happens by itself.
import type { CallIdentity } from '../ports/call-identity.ts';
import type { Trunk, TrunkLine } from '../ports/trunk.ts';
import type {
  DialOptions,
  Peer,
  PhoneBinding,
  Refusal,
  Target,
  Telephony,
  TelephonyReport,
  TelephonyUser,
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
  readonly restored: FakeLeg[] = [];
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
      identity,
      replaces,
    }: {
      peer?: Peer;
      caller?: string | null;
      toUser?: string;
      identity?: CallIdentity;
      replaces?: FakeLeg;
    } = {},
  ): Promise<FakeLeg | Refusal> {
    const resumes = replaces !== undefined;
    if (this.#draining && !resumes) return { status: 503, retryAfterSeconds: 5 };
    const may = this.#user.mayCall(peer, resumes);
    if ('status' in may) return may;
    const leg = this.#leg('incoming', dialled);
    this.came.push(leg);
    const refusal = await this.#user.called({
      leg,
      peer,
      dialled,
      alsoDialled: toUser === dialled ? [] : [toUser],
      caller,
      callerName: '',
      ...(identity ? { identity } : {}),
      callId: leg.callId,
      ...(replaces ? { replaces } : {}),
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

  /** It knows only those quotas that admit no leg at all. */
  dial(target: Target, { quotas = [], full }: DialOptions): FakeLeg | null {
    const none = quotas.find(({ most }) => most <= 0);
    if (none) {
      full?.(none);
      return null;
    }
    if (target.kind === 'phones' && !this.#registered.has(target.id)) return null;
    if (target.kind === 'trunk' && !this.trunks.some(({ id }) => id === target.id)) return null;
    const leg = this.#leg('outgoing', addressOf(target));
    this.dialled.push(leg);
    this.targets.push(target);
    return leg;
  }

  /** Its re-INVITE is answered by `remote.answer`. */
  restore(stored: string): FakeLeg | null {
    const [callId = '', address = ''] = stored.split(' ');
    const leg = new FakeLeg(callId, 'incoming', address, (gone) => this.#legs.delete(gone));
    this.#legs.add(leg);
    this.restored.push(leg);
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
            answers: true,
          },
        ]
      : [];
  }

  trunkState(_id: string): TrunkLine {
    return { registered: null, calls: 0, problem: null, reachable: null, hosts: [] };
  }

  drain(): void {
    this.#draining = true;
  }

  resume(): void {
    this.#draining = false;
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
      trunks: { registered: 0, failing: 0, unregistered: 0, unreachable: 0 },
      bans: 0,
      streams: this.legs,
      readyStreams: 0,
      browserPort: null,
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

function addressOf(target: Target): string {
  switch (target.kind) {
    case 'phones':
      return target.id;
    case 'trunk':
      return `${target.number} by ${target.id}`;
    case 'sip':
      return `${target.user}@${target.host}`;
    default:
      return target satisfies never;
  }
}
