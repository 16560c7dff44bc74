// The whole telephone side of the service in one value: what calls are routed by, who is on a call, the calls themselves and
// their records. main.ts opens it with the telephony of its choice.
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { newId } from '../domain/id.ts';
import { readData } from '../domain/row.ts';
import { type Sealer, trunkPlace } from '../domain/sealer.ts';
import type { Ref } from '../flow/node.ts';
import type { CallRecordingRow } from '../storage/ports/call-recordings.ts';
import type { Storage } from '../storage/storage.ts';
import type {
  ListenMode,
  PhoneBinding,
  Telephony,
  TelephonyReport,
  TelephonyUser,
  Trunk,
} from '../telephony/telephony.ts';
import { CallEvents } from './events/call-events.ts';
import { EventStream } from './events/event-stream.ts';
import type { Click, ClickRefused } from './operator/click-to-call.ts';
import type { ListenOutcome } from './operator/listening-in.ts';
import type { LiveCall } from './operator/live-calls.ts';
import { AgentStates } from './queues/agent-states.ts';
import { type QueueView, viewQueue } from './queues/queue-view.ts';
import type { CallFacts, CallResult } from './records/call-record.ts';
import type { CallRecordingFacts, CallRecordings } from './records/call-recordings.ts';
import { type CallEnds, RecordWriter } from './records/record-writer.ts';
import { type InterruptedCall, interruptedCalls, RunningCalls } from './records/running-calls.ts';
import { globalId } from './routing/dialling.ts';
import type { Flows } from './routing/flows.ts';
import { type AccountRoutes, Routing } from './routing/routing.ts';
import type { SmsAllowance } from './sms/sms-allowance.ts';
import { SmsWriter } from './sms/sms-writer.ts';
import { Switchboard, type TransferOutcome } from './switchboard.ts';

/** A little more than a leg waits for its last answer. */
const LAST_WAITS = 75;
const LAST_WAIT_MS = 20;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface CallServiceParts {
  readonly storage: Storage;
  readonly flows: Flows;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly callRecordings: CallRecordings;
  readonly allowance: SmsAllowance;
  readonly openTelephony: (user: TelephonyUser) => Promise<Telephony>;
  readonly ended: (facts: CallFacts, result: CallResult) => void;
  /** Where running calls are written down, in case the process is killed; without it they are not. */
  readonly journalFolder?: string;
  readonly ends: CallEnds;
  /** What calls are routed by is known, and no call is there yet: whoever wants all news listens now. */
  readonly routesLoaded?: (callService: CallService) => void;
}

export class CallService {
  readonly #routing: Routing;
  readonly #writer: RecordWriter;
  readonly #smsWriter: SmsWriter;
  readonly #switchboard: Switchboard;
  readonly #agentStates = new AgentStates();
  /** What happens in calls, for whoever listens: webhooks, live lists. */
  readonly callEvents: CallEvents;
  readonly eventStream: EventStream;
  readonly #parts: CallServiceParts;
  #telephony: Telephony | null = null;
  /** Trunks whose password cannot be read; told once. */
  readonly #locked = new Set<string>();
  readonly #journal: RunningCalls | null;

  private constructor(parts: CallServiceParts) {
    const { storage, flows, logger, clock, allowance } = parts;
    this.#parts = parts;
    this.callEvents = new CallEvents((err) =>
      logger.error({ err }, 'a listener to the news of calls failed'),
    );
    this.#journal =
      parts.journalFolder === undefined
        ? null
        : new RunningCalls(parts.journalFolder, (err) =>
            logger.warn({ err }, 'running calls were not written down'),
          );
    this.eventStream = new EventStream(this.callEvents);
    this.#writer = new RecordWriter({
      storage,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'call records were not written; retrying'),
      lost: (records) =>
        logger.error({ records }, 'call records lost: the database was unavailable for too long'),
      unserializable: (err, { id, callId }) =>
        logger.error({ err, call: id, callId }, 'CDR serialization failed; the record is lost'),
      settled: (id) => this.#journal?.recorded(id),
      ends: parts.ends,
    });
    this.#smsWriter = new SmsWriter({
      storage,
      clock,
      allowance,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'SMS were not queued; retrying'),
      lost: (messages) => logger.error({ messages }, 'SMS lost: queue full'),
    });
    this.#routing = new Routing({
      storage,
      flows,
      changed: (accounts) => this.#setTrunks(accounts),
      failed: (err) => logger.warn({ err }, 'calls are routed by what was known before; trying again'),
    });
    this.#switchboard = new Switchboard({
      routing: this.#routing,
      agentStates: this.#agentStates,
      clock,
      writer: this.#writer,
      callEvents: this.callEvents,
      callRecordings: parts.callRecordings,
      smsWriter: this.#smsWriter,
      failed: (err, facts, trail) =>
        logger.error(
          {
            err,
            call: facts.id,
            callId: facts.callId,
            trail: trail.slice(-20).map(({ code, node }) => `${code} ${node ?? ''}`),
          },
          'a call failed',
        ),
      ended: parts.ended,
      began: (facts) => this.#journal?.began(facts),
    });
    parts.callRecordings.onSaved((row, facts) => this.#tellSaved(row, facts));
  }

  static async open(parts: CallServiceParts): Promise<CallService> {
    const callService = new CallService(parts);
    try {
      await callService.#routing.open();
      parts.routesLoaded?.(callService);
      await callService.#recordInterrupted();
      const telephony = await parts.openTelephony(callService.#switchboard);
      callService.#telephony = telephony;
      callService.#switchboard.use(telephony);
      callService.#setTrunks([...callService.#routing.accounts()]);
      return callService;
    } catch (error) {
      await callService.close();
      throw error;
    }
  }

  /** Something was written that calls may be routed by. */
  touch(): void {
    this.#routing.touch();
  }

  readonly webhooksOf = (accountId: string): AccountRoutes['webhooks'] =>
    this.#routing.account(accountId)?.webhooks ?? [];

  /** The account's calls that live now, oldest first. */
  callsOf(accountId: string): LiveCall[] {
    return this.#switchboard.liveCallsOf(accountId);
  }

  /** Whether there was such a call. */
  hangUp(accountId: string, id: string): boolean {
    return this.#switchboard.hangUp(accountId, id);
  }

  /** After all that was written before: a destination that was made a moment ago is there. */
  async transfer(
    accountId: string,
    id: string,
    party: 'caller' | 'called',
    to: Ref,
  ): Promise<TransferOutcome> {
    await this.#routing.fresh();
    return this.#switchboard.transferTo(accountId, id, party, to);
  }

  async listenIn(accountId: string, id: string, eid: string, mode: ListenMode): Promise<ListenOutcome> {
    await this.#routing.fresh();
    return this.#switchboard.listenIn(accountId, id, eid, mode);
  }

  /** After all that was written before: an agent who was given the product a moment ago has it. */
  async clickToCall(accountId: string, wanted: Click): Promise<ClickRefused | null> {
    await this.#routing.fresh();
    return this.#switchboard.clickToCall(accountId, wanted);
  }

  /** For a call that is begun by us: it can be told before it is there. */
  newCallId(): string {
    return newId(this.#parts.clock.epochMs());
  }

  get calls(): number {
    return this.#switchboard.count;
  }

  /** The line of a department as it is now. */
  queueOf(accountId: string, department: Ref): QueueView {
    const { queues } = this.#switchboard;
    const isPresent = (agent: string): boolean => this.#switchboard.isPresent(agent);
    return viewQueue({ queues, agentStates: this.#agentStates, isPresent }, accountId, department);
  }

  get waitingRecords(): number {
    return this.#writer.waiting;
  }

  /** Registered for this agent. */
  phonesOf(accountId: string, eid: string): readonly PhoneBinding[] {
    return this.#telephony?.phonesOf(globalId(accountId, eid)) ?? [];
  }

  /** Null: SIP is off. */
  trunkState(accountId: string, id: string): ReturnType<Telephony['trunkState']> | null {
    return this.#telephony?.trunkState(globalId(accountId, id)) ?? null;
  }

  report(): TelephonyReport | null {
    return this.#telephony?.report() ?? null;
  }

  /** No new calls; those that live go on. */
  drain(): void {
    this.#telephony?.drain();
  }

  hangUpAll(): void {
    this.#switchboard.hangUpAll();
  }

  async close(): Promise<void> {
    this.#routing.close();
    this.eventStream.close();
    await this.#telephony?.close();
    // All legs are gone; the record of a call whose phone owes an answer waits a moment for it.
    for (let waits = 0; waits < LAST_WAITS && this.calls > 0; waits++) await wait(LAST_WAIT_MS);
    await this.#parts.callRecordings.settled();
    await this.#smsWriter.flush();
    await this.#writer.flush();
    this.#writer.close();
    await this.#journal?.close();
  }

  /** What a former process left unfinished. Before the first call, since the journal may have this process's own number. */
  async #recordInterrupted(): Promise<void> {
    const { journalFolder, logger } = this.#parts;
    if (journalFolder === undefined) return;
    try {
      const { calls, done } = await interruptedCalls(journalFolder);
      if (calls.length > 0) await this.#saveInterrupted(calls);
      await done();
      if (calls.length > 0)
        logger.warn({ calls: calls.length }, 'calls were interrupted by the end of a process');
    } catch (err) {
      logger.error({ err }, 'interrupted calls were not recorded; the next start tries again');
    }
  }

  /** With the news of their ends: whoever was told of a call is told that it is over. */
  async #saveInterrupted(calls: readonly InterruptedCall[]): Promise<void> {
    const { storage, ends } = this.#parts;
    // The journal is a moment behind: some of them had their record, and their end was told with it.
    const stored = await Promise.all(
      calls.map(({ facts: { accountId, id } }) => storage.getCall({ accountId, id })),
    );
    const left = calls.filter((_, index) => stored[index] === null);
    const ids = left.map(({ row }) => row.id);
    // The journal's last word may be older than the last news of a call. Ids only rise, so after one of now its end comes last.
    newId(this.#parts.clock.epochMs());
    for (const { facts, result } of left) this.callEvents.callEnded(facts, result);
    const jobs = ends.jobsOf(ids);
    try {
      await storage.saveCalls({ calls: left.map(({ row }) => row), jobs });
    } finally {
      ends.recorded(ids, jobs);
    }
  }

  /** Whoever is to be mailed of a message is looked up now: boxes change. */
  async #tellSaved(row: CallRecordingRow, { call }: CallRecordingFacts): Promise<void> {
    const { id, box, durationMs: duration_ms, startedAtMs } = row;
    const atMs = Math.round(startedAtMs + row.durationMs);
    if (row.kind === 'call') {
      const recording = { id, agent: row.eid, duration_ms, audio: `/v1/call/recording/${id}/audio` };
      this.callEvents.publish('call.recorded', call, atMs, { recording });
      return;
    }
    const address = { accountId: row.accountId, kind: 'voicemail', id: box ?? '' } as const;
    // A database that is away now is asked again later: otherwise nobody would be mailed.
    const stored = await this.#parts.storage.getRecord(address);
    const { name = null, email = null } = stored ? readData('voicemail', stored.json) : {};
    const voicemail = { id, box, box_name: name, email, duration_ms, audio: `/v1/voicemail/${id}/audio` };
    this.callEvents.publish('voicemail.received', call, atMs, { voicemail });
  }

  #setTrunks(accounts: readonly AccountRoutes[]): void {
    this.#telephony?.setTrunks(accounts.flatMap((account) => this.#trunksOf(account)));
  }

  #trunksOf({ id: accountId, trunks }: AccountRoutes): Trunk[] {
    const { sealer, logger } = this.#parts;
    return trunks
      .filter(({ data }) => data.enabled)
      .map(({ id, data }) => {
        const { sealed_password: sealed } = data;
        const password = sealed === null ? '' : sealer.open(sealed, trunkPlace(accountId, id));
        if (password === null && !this.#locked.has(id))
          logger.error({ trunk: id }, 'its password was sealed with another key: set it again');
        if (password === null) this.#locked.add(id);
        else this.#locked.delete(id);
        return {
          id: globalId(accountId, id),
          name: data.name,
          host: data.host,
          port: data.port,
          protocol: data.transport,
          addresses: data.addresses,
          username: data.username ?? '',
          password: password ?? '',
          // An empty password would only teach the provider to distrust us.
          register: data.register && password !== null,
          maxCalls: data.max_calls,
          callerId: data.caller_id,
        };
      });
  }
}
