// A running service and phones around it, for whole calls: dials, registers, reads records, and checks that nothing is left
// over at the end.
import { PASSWORD, type Pbx, type PbxOptions, startPbx } from '../../support/pbx.ts';
import { Phone } from '../../support/phone/phone.ts';
import type { CallOptions, PhoneCall } from '../../support/phone/phone-call.ts';
import type { PhoneOptions } from '../../support/phone/phone-options.ts';
import { toneCoded } from '../../support/phone/tone-recording.ts';
import { call as ask, type Json, type Reply } from '../../support/service.ts';

export interface Step {
  readonly at_ms: number;
  readonly code: string;
  readonly text: string;
  readonly keys?: string;
  readonly recording?: string;
  readonly destination?: string;
}

const LEFT_OVER = ['dialtree_calls', 'dialtree_legs', 'dialtree_media_streams'] as const;
/** Less than RTP_TIMEOUT_SECONDS, which releases a leg that was forgotten. */
const IDLE_WITHIN_MS = 20_000;

/** Recordings of distinct frequencies, all of one length. */
export function tones<Name extends string>(ms: number, ...names: readonly Name[]) {
  const hz = toneCoded(...names);
  const recordings = Object.fromEntries(names.map((name) => [name, { hz: hz[name], ms }]));
  return { hz, recordings };
}

export class PhoneBed {
  readonly pbx: Pbx;
  readonly phones: Phone[] = [];
  #nextCaller = 1;

  static async open(options: PbxOptions = {}): Promise<PhoneBed> {
    return new PhoneBed(await startPbx(options));
  }

  private constructor(pbx: Pbx) {
    this.pbx = pbx;
  }

  /** An unregistered phone with a number of its own. */
  async phone(options: Partial<PhoneOptions> = {}): Promise<Phone> {
    const user = `555${String(this.#nextCaller++).padStart(4, '0')}`;
    const phone = await Phone.open({ user, server: this.pbx.sip, ...options });
    this.phones.push(phone);
    return phone;
  }

  /** An agent's phone, registered. */
  async agent(intercom: string, options: Partial<PhoneOptions> = {}): Promise<Phone> {
    const phone = await this.phone({ user: intercom, password: PASSWORD, ...options });
    const status = await phone.register();
    if (status !== 200) throw new Error(`${intercom} could not register: ${status}\n${phone.ladder()}`);
    return phone;
  }

  /** A call from an unregistered phone. */
  async dial(
    number: string,
    options: CallOptions & { phone?: Partial<PhoneOptions> } = {},
  ): Promise<PhoneCall> {
    return (await this.phone(options.phone)).call(number, options);
  }

  /** The same, once it is answered. */
  async reach(
    number: string,
    options: CallOptions & { phone?: Partial<PhoneOptions> } = {},
  ): Promise<PhoneCall> {
    return (await this.dial(number, options)).answered();
  }

  /** A caller who hears the prompt of that frequency and presses keys at once. */
  async choose(number: string, promptHz: number, keys: string): Promise<PhoneCall> {
    const call = await this.reach(number);
    await call.hears(promptHz, { forMs: 40 });
    await call.pressKeys(keys);
    return call;
  }

  /** Its TCP address. */
  get tcp(): { readonly host: string; readonly port: number } {
    const { sip } = JSON.parse(this.pbx.log.find((line) => line.includes('"listening"')) ?? '{}') as {
      sip?: string[];
    };
    const found = sip
      ?.find((each) => each.startsWith('tcp '))
      ?.split(':')
      .at(-1);
    return { host: this.pbx.sip.host, port: Number(found) };
  }

  api(method: string, path: string, body?: unknown): Promise<Reply> {
    return ask(this.pbx.url, method, path, body === undefined ? {} : { body });
  }

  /** The record of the newest call from this number; waits for it. */
  async record(caller: string | PhoneCall): Promise<Json> {
    const number = typeof caller === 'string' ? caller : callerOf(caller);
    return this.until(`a record of ${number}'s call`, async () => {
      const { json } = await this.api('GET', '/v1/call/records?limit=100');
      const found = json.data.find((row: Json) => row.caller === number);
      return found ? (await this.api('GET', `/v1/call/records/${found.id}`)).json : null;
    });
  }

  async metric(name: string): Promise<number> {
    const { text } = await this.api('GET', '/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? Number.NaN);
  }

  async until<T>(what: string, look: () => Promise<T | null | false>, withinMs = IDLE_WITHIN_MS): Promise<T> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      const found = await look();
      if (found !== null && found !== false) return found;
      if (performance.now() > untilMs) throw new Error(`within ${withinMs} ms there was not: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** No call, leg or stream is left; the last counts are in the error if there is. */
  async idle(): Promise<void> {
    let counts: readonly number[] = [];
    await this.until('an idle service', async () => {
      counts = await Promise.all(LEFT_OVER.map((name) => this.metric(name)));
      return counts.every((count) => count === 0);
    }).catch((error: Error) => {
      throw new Error(`${error.message}; ${LEFT_OVER.map((name, i) => `${name} ${counts[i]}`).join(', ')}`);
    });
  }

  /** Hangs up all calls, checks that nothing is left over and that no error was logged, then closes everything. */
  async close(): Promise<void> {
    try {
      const calls = this.phones.flatMap((phone) => phone.calls);
      await Promise.all(calls.map((call) => call.hangUp().catch(() => undefined)));
      if (this.pbx.process.exitCode === null) await this.idle();
      const errors = this.pbx.log.filter((line) => JSON.parse(line).level >= 50);
      if (errors.length > 0) throw new Error(`the service logged errors:\n${errors.join('\n')}`);
    } finally {
      for (const phone of this.phones) phone.close();
      await this.pbx.remove();
    }
  }
}

export function callerOf(call: PhoneCall): string {
  return call.dialog.local.replace(/^<sip:([^@]*)@.*/, '$1');
}

/** The codes of a record's trail, in order. */
export const codes = (record: Json): string[] => record.steps.map((step: Step) => step.code);

/** The first step with that code. */
export function step(record: Json, code: string): Step {
  const found = record.steps.find((each: Step) => each.code === code);
  if (!found) throw new Error(`no ${code} in the trail: ${codes(record).join(', ')}`);
  return found;
}
