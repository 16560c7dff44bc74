// What every telephone world behind the port must do. Passed by the built-in one, on real sockets and with our own phone, and
// by the fake, so that what is tested with the fake holds for the other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  IncomingCall,
  Leg,
  LegEnd,
  LegEvents,
  ListenMode,
  RecordingEnd,
  RecordingSink,
  Refusal,
  Sound,
  Telephony,
  TelephonyUser,
} from './telephony.ts';

/** Somebody with a phone in a call, whoever began it. */
export interface Person {
  press(keys: string): Promise<void>;
  /** Says something for so long. */
  speak(ms: number): Promise<void>;
  /** Is on the line for so long, and says nothing. */
  sayNothing(ms: number): Promise<void>;
  hangUp(): Promise<void>;
  /** Resolves when the other side ended the call, or took it back. */
  gone(): Promise<void>;
}

export interface Caller extends Person {
  /** 200 when the call was answered, or the status it was refused with. */
  status(): Promise<number>;
  retryAfter(): string;
}

export interface Called extends Person {
  ring(): Promise<void>;
  answer(): Promise<void>;
  refuse(how: 'busy' | 'declined' | 'unreachable'): Promise<void>;
}

export interface World {
  readonly telephony: Telephony;
  call(dialled: string): Promise<Caller>;
  /** So many phones of one person; each gives the next call that reaches it. */
  register(id: string, phones: number): Promise<readonly { called(): Promise<Called> }[]>;
  /** Resolves when each of the two hears the other. */
  talk(one: Person, other: Person): Promise<void>;
  /** Resolves when `listener` hears both, and is heard by as many of them as the mode says and no more. */
  listens(listener: Person, target: Person, partner: Person, mode: ListenMode): Promise<void>;
  close(): Promise<void>;
}

/** Short sounds that the world can play. */
export const SOUND: Sound = { kind: 'recording', sha256: 'sound' };
export const MISSING: Sound = { kind: 'recording', sha256: 'missing' };

type Told = readonly [name: string, ...rest: unknown[]];

/** Writes down everything that a leg tells. */
class Log {
  readonly told: Told[] = [];
  end: LegEnd | null = null;
  figures: unknown = null;

  events(): LegEvents {
    const note =
      (name: string) =>
      (...rest: unknown[]): void => {
        this.told.push([name, ...rest]);
      };
    return {
      ringing: note('ringing'),
      answered: note('answered'),
      keyPressed: (key) => note('key')(key),
      played: note('played'),
      soundMissing: note('missing'),
      held: note('held'),
      resumed: note('resumed'),
      oneWay: note('one-way'),
      transferAsked: (_dialled, answer) => answer(false),
      ended: (end, statistics) => {
        this.end = end;
        this.figures = statistics;
        note('ended')(end.outcome);
      },
    };
  }

  has(...entry: Told): Promise<void> {
    return until(() => this.told.some((each) => JSON.stringify(each) === JSON.stringify(entry)));
  }

  count(name: string): number {
    return this.told.filter(([each]) => each === name).length;
  }
}

/** Keeps a recording in memory. */
class Cassette implements RecordingSink {
  bytes = 0;
  soundMs = 0;
  readonly ends: RecordingEnd[] = [];

  wrote(audio: Buffer, soundMs: number): void {
    if (this.ends.length > 0) throw new Error('written to after its end');
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

export async function until(look: () => boolean, withinMs = 5_000): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!look()) {
    if (performance.now() > untilMs) throw new Error(`it did not happen within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function telephonyContract(open: (user: TelephonyUser) => Promise<World>): void {
  let world: World;
  let decide: (call: IncomingCall) => Refusal | null | Promise<Refusal | null>;

  beforeEach(async () => {
    decide = () => ({ status: 404 });
    world = await open({
      trunkOf: (ids) => ids[0] ?? '',
      credentialsOf: () => [],
      called: (call) => decide(call),
    });
  });

  afterEach(async () => {
    await until(() => world.telephony.legs === 0);
    await world.close();
  });

  /** Takes the next call; its leg is listened to by the log. */
  async function taken(log: Log): Promise<{ leg: Leg; caller: Caller; call: IncomingCall }> {
    let call: IncomingCall | null = null;
    decide = (came) => {
      call = came;
      came.leg.listen(log.events());
      return null;
    };
    const caller = await world.call('100');
    await until(() => call !== null);
    if (call === null) throw new Error('no call came');
    const { leg } = call as IncomingCall;
    return { leg, caller, call };
  }

  async function answered(log: Log): Promise<{ leg: Leg; caller: Caller }> {
    const { leg, caller } = await taken(log);
    leg.answer();
    expect(await caller.status()).toBe(200);
    return { leg, caller };
  }

  function dial(id: string, log: Log): Leg {
    const leg = world.telephony.dial({ kind: 'phones', id }, { caller: '+15550100', callerName: '' });
    if (!leg) throw new Error(`nobody is ${id}`);
    leg.listen(log.events());
    return leg;
  }

  describe('a call that comes in', () => {
    it('is refused with the status that the user returns, at once or later', async () => {
      decide = () => ({ status: 486 });
      expect(await (await world.call('100')).status()).toBe(486);
      decide = async () => ({ status: 503, retryAfterSeconds: 7 });
      const later = await world.call('100');
      expect(await later.status()).toBe(503);
      expect(later.retryAfter()).toBe('7');
    });

    it('tells what was dialled and who calls', async () => {
      const { call, leg, caller } = await taken(new Log());
      expect(call).toMatchObject({ dialled: '100', peer: { kind: 'local' } });
      leg.hangUp();
      await caller.gone();
    });

    it('lists its messages in order and whole with the figures, where a world has messages', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      await caller.hangUp();
      await log.has('ended', 'ended');
      await log.figures;
      const ladder = leg.ladder?.() ?? { lines: [], leftOut: 0 };
      const times = ladder.lines.map(({ atMs }) => atMs);
      expect(times).toEqual([...times].sort((one, other) => one - other));
      expect(ladder.lines.filter(({ atMs }) => atMs > performance.now())).toEqual([]);
      const said = ladder.lines.map(({ direction, method, status }) => `${direction} ${status} ${method}`);
      const whole = ['in 0 INVITE', 'out 200 INVITE', 'in 0 ACK', 'in 0 BYE', 'out 200 BYE'];
      expect(said).toEqual(said.length === 0 ? [] : whole);
      expect(ladder.leftOut).toBe(0);
    });

    it('plays a sound to its end and tells so once', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      leg.play(1, SOUND);
      await log.has('played', 1);
      await caller.hangUp();
      await log.has('ended', 'ended');
      expect(log.count('played')).toBe(1);
    });

    it('does not tell the end of a sound that was stopped or replaced', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      leg.play(1, SOUND);
      leg.stopPlaying();
      leg.play(2, SOUND);
      leg.play(3, SOUND);
      await log.has('played', 3);
      expect(log.told).toEqual([['played', 3]]);
      await caller.hangUp();
      await log.has('ended', 'ended');
    });

    it('tells that a sound is missing, and then the end of what was played instead', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      leg.play(1, MISSING);
      await log.has('played', 1);
      expect(log.told).toEqual([
        ['missing', 1],
        ['played', 1],
      ]);
      await caller.hangUp();
      await log.has('ended', 'ended');
    });

    it('tells keys in their order, each once', async () => {
      const log = new Log();
      const { caller } = await answered(log);
      await caller.press('12*');
      await log.has('key', '*');
      expect(log.told.filter(([name]) => name === 'key')).toEqual([
        ['key', '1'],
        ['key', '2'],
        ['key', '*'],
      ]);
      await caller.hangUp();
      await log.has('ended', 'ended');
    });

    it('tells once that the caller hung up, and nothing that is done afterwards matters', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      await caller.hangUp();
      await log.has('ended', 'ended');
      expect(log.end?.by).toBe('peer');
      leg.play(1, SOUND);
      leg.answer();
      leg.hangUp();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(log.told).toEqual([['ended', 'ended']]);
    });

    it('is hung up by us as often as we like, and tells it once', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      leg.hangUp(17);
      leg.hangUp();
      await caller.gone();
      await log.has('ended', 'ended');
      expect(log.end?.by).toBe('us');
      expect(log.count('ended')).toBe(1);
    });

    it('that ended while it was being decided on tells so to whoever listens then', async () => {
      const log = new Log();
      let go = (): void => undefined;
      decide = (call) =>
        new Promise((resolve) => {
          go = () => {
            call.leg.listen(log.events());
            resolve(null);
          };
        });
      const caller = await world.call('100');
      await until(() => world.telephony.legs === 1);
      await caller.hangUp();
      await until(() => world.telephony.legs === 0);
      // Long enough for the last that is to be known of it.
      await new Promise((resolve) => setTimeout(resolve, 100));
      go();
      await log.has('ended', 'failed');
      expect(log.count('ended')).toBe(1);
    });
  });

  describe('a call that we place', () => {
    it('rings and is answered, and ends when the phone hangs up', async () => {
      const [phone] = await world.register('ann', 1);
      const log = new Log();
      dial('ann', log);
      const called = await phone?.called();
      await called?.ring();
      await log.has('ringing');
      await called?.answer();
      await log.has('answered');
      await called?.hangUp();
      await log.has('ended', 'ended');
      expect(log.told).toEqual([['ringing'], ['answered'], ['ended', 'ended']]);
    });

    it('is the first of two phones that answers, and the other one is cancelled', async () => {
      const [one, two] = await world.register('ann', 2);
      const log = new Log();
      const leg = dial('ann', log);
      const [first, second] = await Promise.all([one?.called(), two?.called()]);
      await first?.ring();
      await second?.ring();
      await second?.answer();
      await first?.gone();
      await log.has('answered');
      expect(log.count('answered')).toBe(1);
      leg.hangUp();
      await second?.gone();
      await log.has('ended', 'ended');
    });

    it.each(['busy', 'declined', 'unreachable'] as const)('tells that it is %s', async (how) => {
      const [phone] = await world.register('ann', 1);
      const log = new Log();
      dial('ann', log);
      await (await phone?.called())?.refuse(how);
      await log.has('ended', how);
      expect(log.count('answered')).toBe(0);
    });

    it('is taken back while it rings', async () => {
      const [phone] = await world.register('ann', 1);
      const log = new Log();
      const leg = dial('ann', log);
      const called = await phone?.called();
      await called?.ring();
      await log.has('ringing');
      leg.hangUp();
      await called?.gone();
      await log.has('ended', 'no-answer');
      expect(log.count('ended')).toBe(1);
    });

    it('is none when nobody is registered', () => {
      expect(
        world.telephony.dial({ kind: 'phones', id: 'nobody' }, { caller: null, callerName: '' }),
      ).toBeNull();
      expect(world.telephony.phonesOf('nobody')).toEqual([]);
    });
  });

  describe('a leg that is recorded', () => {
    it('gives what was said until it is stopped, and tells that once', async () => {
      const { leg, caller } = await answered(new Log());
      const tape = new Cassette();
      leg.record({ maxMs: 60_000, silenceMs: null }, tape);
      await caller.speak(1_500);
      leg.stopRecording();
      leg.stopRecording();
      expect(await tape.over()).toEqual(['stopped']);
      expect(tape.bytes).toBeGreaterThan(1_300 * 8);
      expect(tape.soundMs).toBeGreaterThan(1_000);
      await caller.hangUp();
      expect(tape.ends).toHaveLength(1);
    });

    it('keeps what was said until the caller hung up', async () => {
      const log = new Log();
      const { leg, caller } = await answered(log);
      const tape = new Cassette();
      leg.record({ maxMs: 60_000, silenceMs: 30_000 }, tape);
      await caller.speak(600);
      await caller.hangUp();
      expect(await tape.over()).toEqual(['ended']);
      expect(tape.bytes).toBeGreaterThan(500 * 8);
      await log.has('ended', 'ended');
      const late = new Cassette();
      leg.record({ maxMs: 60_000, silenceMs: null }, late);
      expect(await late.over()).toEqual(['ended']);
    });

    it('ends at its longest time, and after silence', async () => {
      const { leg, caller } = await answered(new Log());
      const long = new Cassette();
      leg.record({ maxMs: 400, silenceMs: null }, long);
      await caller.speak(700);
      expect(await long.over()).toEqual(['length']);
      expect(long.bytes).toBe(400 * 8);
      const quiet = new Cassette();
      leg.record({ maxMs: 60_000, silenceMs: 300 }, quiet);
      await caller.sayNothing(600);
      expect(await quiet.over()).toEqual(['silence']);
      await caller.hangUp();
    });
  });

  /** Somebody with a phone, called near that leg, who has answered. */
  async function joined(near: Leg, id: string, log: Log): Promise<{ leg: Leg; called: Called }> {
    const [phone] = await world.register(id, 1);
    const leg = world.telephony.dial({ kind: 'phones', id }, { caller: null, callerName: '', near });
    const called = await phone?.called();
    if (!leg || !called) throw new Error(`${id} was not called`);
    leg.listen(log.events());
    await called.answer();
    await log.has('answered');
    return { leg, called };
  }

  it('two legs that are connected hear each other', async () => {
    const [ours, theirs] = [new Log(), new Log()];
    const { leg, caller } = await answered(ours);
    const { leg: other, called } = await joined(leg, 'ann', theirs);
    leg.connect(other);
    await world.talk(caller, called);
    await caller.hangUp();
    await ours.has('ended', 'ended');
    other.hangUp();
    await theirs.has('ended', 'ended');
  });

  it('two legs that are connected are recorded as two channels', async () => {
    const { leg, caller } = await answered(new Log());
    const log = new Log();
    const { leg: other } = await joined(leg, 'ann', log);
    leg.connect(other);
    const tape = new Cassette();
    leg.record({ maxMs: 60_000, silenceMs: null, with: other }, tape);
    await caller.speak(1_000);
    await caller.hangUp();
    expect(await tape.over()).toEqual(['ended']);
    expect(tape.bytes).toBeGreaterThan(2 * 800 * 8);
    other.hangUp();
    await log.has('ended', 'ended');
  });

  it('a third leg listens in: it hears both, and is heard by none, one or both', async () => {
    const { leg, caller } = await answered(new Log());
    const [agents, boss] = [new Log(), new Log()];
    const { leg: agent, called } = await joined(leg, 'ann', agents);
    leg.connect(agent);
    await world.talk(caller, called);
    const { leg: listener, called: listening } = await joined(leg, 'boss', boss);
    for (const mode of ['monitor', 'whisper', 'barge', 'monitor'] as const) {
      listener.listenIn(agent, mode);
      await world.listens(listening, called, caller, mode);
    }
    listener.listenIn(agent, 'barge');
    await listening.hangUp();
    await boss.has('ended', 'ended');
    await world.talk(caller, called);
    await caller.hangUp();
    agent.hangUp();
    await agents.has('ended', 'ended');
  });

  it('takes no new calls once it drains, and keeps those it has', async () => {
    const log = new Log();
    const { leg, caller } = await answered(log);
    world.telephony.drain();
    const late = await world.call('100');
    expect(await late.status()).toBe(503);
    expect(Number(late.retryAfter())).toBeGreaterThan(0);
    leg.play(1, SOUND);
    await log.has('played', 1);
    await caller.hangUp();
    await log.has('ended', 'ended');
  });
}
