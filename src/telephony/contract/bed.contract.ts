// The operations that all parts of the contract share.
import { expect } from 'vitest';
import type {
  IncomingCall,
  Leg,
  LegEnd,
  LegEvents,
  RecordingEnd,
  RecordingSink,
  Refusal,
  TelephonyUser,
} from '../telephony.ts';
import { type Callee, type Caller, type TestNetwork, until } from './test-network.contract.ts';

type Entry = readonly [name: string, ...rest: unknown[]];

/** Records all events of a leg. */
export class EventLog {
  readonly events: Entry[] = [];
  end: LegEnd | null = null;
  statistics: unknown = null;

  listener(): LegEvents {
    const note =
      (name: string) =>
      (...rest: unknown[]): void => {
        this.events.push([name, ...rest]);
      };
    return {
      ringing: note('ringing'),
      earlyMedia: note('early media'),
      answered: note('answered'),
      keyPressed: (key) => note('key')(key),
      played: note('played'),
      soundMissing: note('missing'),
      held: note('held'),
      resumed: note('resumed'),
      oneWay: note('one-way'),
      transferAsked: (_dialled, _replaces, answer) => answer('forbidden'),
      ended: (end, statistics) => {
        this.end = end;
        this.statistics = statistics;
        note('ended')(end.outcome);
      },
    };
  }

  has(...entry: Entry): Promise<void> {
    return until(() => this.events.some((each) => JSON.stringify(each) === JSON.stringify(entry)));
  }

  count(name: string): number {
    return this.events.filter(([each]) => each === name).length;
  }
}

/** Keeps a recording in memory. */
export class RecordingBuffer implements RecordingSink {
  bytes = 0;
  soundMs = 0;
  readonly ends: RecordingEnd[] = [];

  wrote(audio: Buffer, soundMs: number): void {
    if (this.ends.length > 0) throw new Error('written after its end');
    this.bytes += audio.length;
    this.soundMs = soundMs;
  }

  ended(why: RecordingEnd): void {
    this.ends.push(why);
  }

  async over(): Promise<RecordingEnd[]> {
    await until(() => this.ends.length > 0);
    return this.ends;
  }
}

/** One network per test, opened and closed by the contract. */
export class ContractBed {
  decide: (call: IncomingCall) => Refusal | null | Promise<Refusal | null> = () => ({ status: 404 });
  #network: TestNetwork | null = null;

  async open(open: (user: TelephonyUser) => Promise<TestNetwork>): Promise<void> {
    this.decide = () => ({ status: 404 });
    this.#network = await open({
      mayCall: () => [],
      trunkOf: (ids) => ids[0] ?? '',
      credentialsOf: () => [],
      credentialsFor: () => undefined,
      called: (call) => this.decide(call),
    });
  }

  async close(): Promise<void> {
    await until(() => this.network.telephony.legs === 0);
    await this.network.close();
  }

  get network(): TestNetwork {
    if (!this.#network) throw new Error('the network is not open');
    return this.#network;
  }

  /** Accepts the next call; the log listens to its leg. */
  async taken(log: EventLog): Promise<{ leg: Leg; caller: Caller; call: IncomingCall }> {
    const calls: IncomingCall[] = [];
    this.decide = (call) => {
      calls.push(call);
      call.leg.listen(log.listener());
      return null;
    };
    const caller = await this.network.call('100');
    await until(() => calls.length > 0);
    const [call] = calls;
    if (!call) throw new Error('no call arrived');
    return { leg: call.leg, caller, call };
  }

  async answered(log: EventLog): Promise<{ leg: Leg; caller: Caller }> {
    const { leg, caller } = await this.taken(log);
    leg.answer();
    expect(await caller.status()).toBe(200);
    return { leg, caller };
  }

  dial(id: string, log: EventLog, near?: Leg): Leg {
    const options = { caller: '+15550100', callerName: '', ...(near ? { near } : {}) };
    const leg = this.network.telephony.dial({ kind: 'phones', id }, options);
    if (!leg) throw new Error(`${id} is not registered`);
    leg.listen(log.listener());
    return leg;
  }

  /** A phone that was dialled near that leg and has answered. */
  async joined(near: Leg, id: string, log: EventLog): Promise<{ leg: Leg; called: Callee }> {
    const [phone] = await this.network.register(id, 1);
    const leg = this.network.telephony.dial({ kind: 'phones', id }, { caller: null, callerName: '', near });
    const called = await phone?.called();
    if (!leg || !called) throw new Error(`${id} was not called`);
    leg.listen(log.listener());
    await called.answer();
    await log.has('answered');
    return { leg, called };
  }
}
