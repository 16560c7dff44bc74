// The whole way once: an agent's phone registers, a caller hears the menu, presses a key and talks to the agent, through real sockets.
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, reasonOf } from '../../service/checks/finding.ts';
import { StartError } from '../../service/start-error.ts';
import { statusInWords } from '../../telephony/softphone/cause-words.ts';
import { Softphone } from '../../telephony/softphone/softphone.ts';
import { TestCallLeg, until } from './test-call-leg.ts';
import { openTestService, TEST, type TestService } from './test-service.ts';

const STEP_MS = 5_000;
const CALLER_HZ = 1_860;
const AGENT_HZ = 2_340;
const FIREWALL = 'Check that a firewall lets UDP pass on this machine, for SIP_PORT and for RTP_PORTS.';

/** Ends the call; the finding has the error. */
class Broken extends Error {
  readonly finding: Finding;

  constructor(check: string, message: string) {
    super(message);
    this.finding = fail(check, message);
  }
}

export async function callOurselves(config: Config, isFree: boolean): Promise<Finding[]> {
  const phones: Softphone[] = [];
  const findings: Finding[] = [];
  let test: TestService | null = null;
  try {
    test = await openTestService(config, isFree);
    const { sip: server, password } = test;
    const open = async (user: string): Promise<Softphone> => {
      const { mediaSockets } = config;
      const parts = {
        server,
        protocol: 'udp',
        user,
        password,
        mediaSockets,
        failed: () => undefined,
      } as const;
      const phone = await Softphone.open(parts);
      phones.push(phone);
      return phone;
    };
    await new SelfCall(test, await open(TEST.agent), await open(TEST.caller), findings).run();
  } catch (error) {
    if (error instanceof Broken) findings.push(error.finding);
    else if (error instanceof StartError)
      findings.push(fail('self call', `The telephone side does not start: ${error.message}`));
    else findings.push(fail('self call', `It broke off: ${reasonOf(error)}`));
  } finally {
    for (const phone of phones) await phone.close();
    await test?.close();
  }
  return findings;
}

class SelfCall {
  readonly #test: TestService;
  readonly #agentPhone: Softphone;
  readonly #callerPhone: Softphone;
  readonly #findings: Finding[];
  readonly #caller = new TestCallLeg();
  readonly #agent = new TestCallLeg();
  #invitedMs: number | null = null;

  constructor(test: TestService, agentPhone: Softphone, callerPhone: Softphone, findings: Finding[]) {
    this.#test = test;
    this.#agentPhone = agentPhone;
    this.#callerPhone = callerPhone;
    this.#findings = findings;
  }

  async run(): Promise<void> {
    await this.#register();
    await this.#callTheMenu();
    await this.#pressTheKey();
    await this.#talk();
    await this.#relayKeys();
    await this.#hangUp();
  }

  async #register(): Promise<void> {
    const check = 'self call: register';
    this.#agentPhone.onCall((call) => {
      this.#invitedMs = performance.now();
      this.#agent.call = call;
      call.answer();
      return this.#agent;
    });
    const startedMs = performance.now();
    const problem = await this.#agentPhone.register();
    if (problem !== null) throw new Broken(check, `A phone cannot register: ${problem} ${FIREWALL}`);
    this.#ok(check, `A phone registered with its password in ${ms(performance.now() - startedMs)}`);
  }

  async #callTheMenu(): Promise<void> {
    const check = 'self call: menu';
    const caller = this.#caller;
    await this.#callerPhone.authenticate(TEST.number);
    const startedMs = performance.now();
    caller.call = this.#callerPhone.call(TEST.number, caller);
    await until(() => caller.answeredMs !== null || caller.end !== null, STEP_MS);
    if (caller.answeredMs === null) {
      const { end } = caller;
      const why = end
        ? `${end.status ?? ''} ${end.reason}. ${statusInWords(end.status ?? 0)}`
        : `no answer within ${ms(STEP_MS)}. ${FIREWALL}`;
      throw new Broken(check, `The call to the menu was not answered: ${why}`);
    }
    if (!(await until(() => caller.hears(TEST.promptHz), STEP_MS)))
      throw new Broken(
        check,
        `Answered, but instead of the prompt (a tone of ${TEST.promptHz} Hz) the caller heard ${caller.words}. ${FIREWALL}`,
      );
    this.#ok(
      check,
      `INVITE to 200 took ${ms(caller.answeredMs - startedMs)}, and the prompt is heard (${TEST.promptHz} Hz)`,
    );
  }

  async #pressTheKey(): Promise<void> {
    const check = 'self call: key';
    const pressedMs = performance.now();
    this.#caller.call?.sendKeys(TEST.key);
    if (!(await until(() => this.#invitedMs !== null, STEP_MS)))
      throw new Broken(
        check,
        `Key ${TEST.key} was pressed, but the agent’s phone was not rung: RTP from the phone to the service does not arrive. ${FIREWALL}`,
      );
    if (!(await until(() => this.#agent.answeredMs !== null, STEP_MS)))
      throw new Broken(check, 'The agent’s phone answered, but its answer was not acknowledged.');
    this.#ok(
      check,
      `Key ${TEST.key} rang the agent ${ms((this.#invitedMs ?? 0) - pressedMs)} after it was pressed, and the agent answered`,
    );
  }

  async #talk(): Promise<void> {
    const check = 'self call: sound';
    const there = await this.#say(this.#caller, this.#agent, CALLER_HZ);
    if (there === null)
      throw new Broken(check, `The agent does not hear the caller, but ${this.#agent.words}. ${FIREWALL}`);
    const back = await this.#say(this.#agent, this.#caller, AGENT_HZ);
    if (back === null)
      throw new Broken(check, `The caller does not hear the agent, but ${this.#caller.words}. ${FIREWALL}`);
    this.#ok(check, `Both hear each other, ${ms(there)} and ${ms(back)} from mouth to ear`);
  }

  /** Milliseconds until it was heard; null: it was not. */
  async #say(mouth: TestCallLeg, ear: TestCallLeg, hz: number): Promise<number | null> {
    // The ringing or the prompt must be over first, or it would be taken for the tone.
    await until(() => ear.sounds.at(-1) === 'silence', STEP_MS);
    ear.loudMs = null;
    const saidMs = performance.now();
    mouth.call?.playTone(hz);
    const isHeard = await until(() => ear.hears(hz), STEP_MS);
    mouth.call?.playTone(null);
    return isHeard && ear.loudMs !== null ? ear.loudMs - saidMs : null;
  }

  async #relayKeys(): Promise<void> {
    const check = 'self call: keys';
    this.#caller.call?.sendKeys('5');
    this.#agent.call?.sendKeys('7');
    const isRelayed = (): boolean => this.#agent.keys.includes('5') && this.#caller.keys.includes('7');
    if (!(await until(isRelayed, STEP_MS)))
      throw new Broken(
        check,
        `Keys do not reach the other side: the agent received “${this.#agent.keys}” instead of “5”, the caller “${this.#caller.keys}” instead of “7”.`,
      );
    this.#ok(check, 'Keys reach the other side, both ways');
  }

  async #hangUp(): Promise<void> {
    const check = 'self call: end';
    this.#caller.call?.hangUp();
    const { service } = this.#test;
    const isOver = (): boolean => this.#caller.end !== null && this.#agent.end !== null;
    if (!(await until(isOver, STEP_MS)))
      throw new Broken(check, 'The caller hung up, but the agent’s phone was not told.');
    if (!(await until(async () => (await service.telephones())?.legs === 0, STEP_MS)))
      throw new Broken(check, 'Both hung up, but the service still holds the call.');
    this.#ok(check, 'The caller hung up, the agent was told, and nothing is left');
  }

  #ok(check: string, message: string): void {
    this.#findings.push(ok(check, message));
  }
}

const ms = (time: number): string => (time < 10 ? `${time.toFixed(1)} ms` : `${Math.round(time)} ms`);
