// The built-in telephony: our SIP stack and media engine behind the port. Neither knows the other: a session and a stream are a leg.
import { openMedia } from '../../media/engine/engine.ts';
import { openWebrtcProcess } from '../../media/webrtc/process/webrtc-process.ts';
import type { Trunk, TrunkLine } from '../ports/trunk.ts';
import {
  type DialOptions,
  EDGE_NOTICE_MS,
  type Leg,
  type PhoneBinding,
  type RestoreOptions,
  type Target,
  type Telephony,
  type TelephonyReport,
} from '../telephony.ts';
import type { BuiltinConfig } from './config.ts';
import { BuiltinEnvironment } from './environment.ts';
import { SoundCache } from './legs/sound-cache.ts';
import { dial, restore } from './outgoing-calls.ts';
import { describePhones, telephonyReport } from './report.ts';
import { Requests } from './requests.ts';

export async function openBuiltin(config: BuiltinConfig): Promise<Telephony> {
  const engine = await openMedia(config.media);
  const webrtc = config.webrtc ? openWebrtcProcess(config.webrtc) : null;
  try {
    const media = { engine, webrtc, sounds: new SoundCache(engine, config.readSound) };
    return new BuiltinTelephony(await BuiltinEnvironment.open(config, media, (env) => new Requests(env)));
  } catch (error) {
    await webrtc?.close();
    await engine.close();
    throw error;
  }
}

class BuiltinTelephony implements Telephony {
  readonly #env: BuiltinEnvironment;

  constructor(env: BuiltinEnvironment) {
    this.#env = env;
  }

  setTrunks(trunks: readonly Trunk[]): void {
    this.#env.trunks.set(trunks);
    this.#env.trunkLinks.set(trunks);
  }

  checkPhones(): void {
    this.#env.phones.dropInvalid();
    this.#env.agent.notifier?.check();
    this.#env.phones.learnUnmatched();
  }

  dial(target: Target, options: DialOptions): Leg | null {
    return dial(this.#env, target, options);
  }

  restore(text: string, options: RestoreOptions): Leg | null {
    return restore(this.#env, text, options);
  }

  phonesOf(id: string): readonly PhoneBinding[] {
    return describePhones(this.#env, id);
  }

  trunkState(id: string): TrunkLine {
    const { trunkLinks, trunks } = this.#env;
    return { ...trunkLinks.stateOf(id), calls: trunks.callsOf(id) };
  }

  drain(): void {
    this.#env.admission.drain(this.#env.config.isEdge ? EDGE_NOTICE_MS : 0);
    this.#env.webPhones.setDrain(true);
  }

  resume(): void {
    this.#env.admission.resume();
    this.#env.webPhones.setDrain(false);
  }

  get legs(): number {
    return this.#env.legs.size;
  }

  report(): TelephonyReport {
    return telephonyReport(this.#env);
  }

  async close(): Promise<void> {
    const { admission, legs, media } = this.#env;
    admission.drain();
    legs.hangUpAll();
    await this.#env.close();
    await media.webrtc?.close();
    await media.engine.close();
  }
}
