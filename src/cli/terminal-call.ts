// A call of `dialtree call`: what happens is printed as it happens.
import { writeFileSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { Hearing } from '../media/audio/hearing.ts';
import { writeWav } from '../media/audio/wav.ts';
import { Softphone } from '../telephony/softphone/softphone.ts';
import type { SoftphoneCall, SoftphoneEnd } from '../telephony/softphone/softphone-call.ts';
import { SoftphoneError } from '../telephony/softphone/softphone-ports.ts';
import { answeredLine, endLines, heardLine, summary, UNREACHED } from './call-report.ts';
import { soundOf } from './call-speech.ts';
import { type CallWords, keyGroups } from './call-words.ts';
import { CommandError } from './command.ts';

/** Keys are pressed although nothing was heard, so long after the answer. */
const DEAF_MS = 5_000;
/** UDP gives up only after 32 s (RFC 3261 §17.1.1.2, timer B): too long to wait without a word. */
const UNHEARD_MS = 3_000;
const KEY_PAUSE_MS = 1_000;
/** The sample rate of µ-law. */
const SAMPLES_PER_S = 8_000;

/** The exit code. */
export async function placeCall(wanted: CallWords, config: Config): Promise<number> {
  try {
    return await place(wanted, config);
  } catch (error) {
    if (error instanceof SoftphoneError) throw new CommandError(error.message);
    throw error;
  }
}

async function place(wanted: CallWords, config: Config): Promise<number> {
  // Before the call: what cannot be said is known at once.
  const speech = wanted.say === undefined ? null : await soundOf(wanted.say, config);
  const phone = await Softphone.open({
    server: wanted.server,
    protocol: wanted.protocol,
    user: wanted.from ?? 'dialtree',
    ...(wanted.password === undefined ? {} : { password: wanted.password }),
    mediaSockets: config.mediaSockets,
    failed: (error) => process.stderr.write(`dialtree: ${(error as Error).message}\n`),
  });
  try {
    await phone.authenticate(wanted.number);
    return await new TerminalCall(wanted, speech).run(phone);
  } finally {
    await phone.close();
  }
}

class TerminalCall {
  readonly #wanted: CallWords;
  /** µ-law. */
  readonly #speech: Buffer | null;
  readonly #audio: Buffer[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #hearing: Hearing;
  #call: SoftphoneCall | null = null;
  #startedMs = 0;
  #keysWait = true;

  constructor(wanted: CallWords, speech: Buffer | null) {
    this.#wanted = wanted;
    this.#speech = speech;
    this.#hearing = new Hearing((segment) => {
      this.#say(heardLine(segment), segment.fromMs);
      if (segment.sound.kind !== 'silence' && segment.sound.kind !== 'nothing')
        this.#keysIn(segment.fromMs + this.#wanted.afterMs - this.#nowMs());
    });
  }

  run(phone: Softphone): Promise<number> {
    const { number, server, protocol, from } = this.#wanted;
    this.#startedMs = performance.now();
    const who = from === undefined ? '' : ` as ${from}`;
    this.#say(`calling ${number} at ${server.host}:${server.port} over ${protocol.toUpperCase()}${who}`);
    const interrupted = (): void => {
      this.#say('interrupted: hanging up');
      this.#call?.hangUp();
    };
    process.once('SIGINT', interrupted);
    process.once('SIGTERM', interrupted);
    const unheard = setTimeout(() => this.#say(`no answer yet. ${UNREACHED}`), UNHEARD_MS);
    this.#timers.push(unheard);
    return new Promise((resolve) => {
      this.#call = phone.call(number, {
        signalled: (text) => {
          clearTimeout(unheard);
          this.#say(text);
        },
        answered: () => this.#answered(),
        heard: (audio) => {
          if (this.#wanted.save !== undefined) this.#audio.push(audio);
          this.#hearing.push(audio, this.#nowMs());
        },
        keyPressed: (key) => this.#say(`the other end pressed ${key}`),
        said: () => this.#say('everything is said'),
        oneWay: () => this.#say('nothing comes back: sound flows one way only'),
        ended: (end, statistics) => {
          process.off('SIGINT', interrupted);
          process.off('SIGTERM', interrupted);
          this.#ended(end);
          if (end.answered) process.stdout.write(summary(this.#hearing.segments, statistics));
          this.#save();
          resolve(end.answered && (end.by === 'us' || end.by === 'peer') ? 0 : 1);
        },
      });
    });
  }

  #answered(): void {
    this.#say(answeredLine(this.#nowMs()));
    const { seconds } = this.#wanted;
    if (seconds > 0) this.#later(seconds * 1_000, () => this.#call?.hangUp());
    this.#later(Math.max(DEAF_MS, this.#wanted.afterMs), () => this.#keysIn(0));
    const speech = this.#speech;
    if (speech)
      this.#later(this.#wanted.afterMs, () => {
        this.#say(`saying ${(speech.length / SAMPLES_PER_S).toFixed(1)} s of sound`);
        this.#call?.say(speech);
      });
  }

  #keysIn(waitMs: number): void {
    if (!this.#keysWait) return;
    this.#keysWait = false;
    let atMs = Math.max(0, waitMs);
    for (const keys of keyGroups(this.#wanted.keys)) {
      if (keys !== '')
        this.#later(atMs, () => {
          this.#say(`pressing ${keys}`);
          this.#call?.sendKeys(keys);
        });
      atMs += KEY_PAUSE_MS;
    }
  }

  #ended(end: SoftphoneEnd): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#hearing.end();
    for (const line of endLines(end)) this.#say(line);
  }

  #save(): void {
    const { save } = this.#wanted;
    if (save === undefined) return;
    try {
      writeFileSync(save, writeWav(Buffer.concat(this.#audio)));
      process.stdout.write(`Saved ${save}\n`);
    } catch (error) {
      throw new CommandError(`${save} cannot be written: ${(error as Error).message}`);
    }
  }

  #later(ms: number, then: () => void): void {
    this.#timers.push(setTimeout(then, ms));
  }

  #nowMs(): number {
    return performance.now() - this.#startedMs;
  }

  #say(text: string, atMs = this.#nowMs()): void {
    process.stdout.write(`${(atMs / 1_000).toFixed(3).padStart(8)} s  ${text}\n`);
  }
}
