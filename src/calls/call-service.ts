// All of call handling in one value: routing, agent states, live calls and their records. main.ts opens it with the telephony of
// its choice.
import type { Logger } from 'pino';
import type { AccountSnapshots } from '../accounts/account-snapshots.ts';
import type { Clock } from '../clock.ts';
import { newId } from '../domain/id.ts';
import { outcomeOf } from '../domain/past-call.ts';
import { readData } from '../domain/row.ts';
import type { Sealer } from '../domain/sealer.ts';
import type { Ref } from '../flow/node.ts';
import type { CallRecordingRow } from '../storage/ports/call-recordings.ts';
import type { Storage } from '../storage/storage.ts';
import type {
  ListenMode,
  PhoneBinding,
  Telephony,
  TelephonyReport,
  TelephonyUser,
} from '../telephony/telephony.ts';
import type { Allowance } from './allowance.ts';
import { type CallCounters, CallLog } from './call-log.ts';
import { CallEvents } from './events/call-events.ts';
import { EventStream } from './events/event-stream.ts';
import type { Click, ClickRefused } from './operator/click-to-call.ts';
import type { ListenOutcome } from './operator/listening-in.ts';
import type { LiveCall } from './operator/live-calls.ts';
import { AgentStates } from './queues/agent-states.ts';
import { type QueueView, viewQueue } from './queues/queue-view.ts';
import type { TransferredBy } from './records/call-record.ts';
import type { CallRecordingFacts, CallRecordings } from './records/call-recordings.ts';
import { recordInterruptedCalls } from './records/interrupted-calls.ts';
import { type CallEnds, RecordWriter } from './records/record-writer.ts';
import { RunningCalls } from './records/running-calls.ts';
import { Registrations } from './registrations.ts';
import { globalId } from './routing/dialling.ts';
import { type AccountRoutes, Routing } from './routing/routing.ts';
import { TrunkSettings } from './routing/trunk-settings.ts';
import { SmsWriter } from './sms/sms-writer.ts';
import { Switchboard, type TransferOutcome } from './switchboard.ts';

/** How long close() waits for the last calls: slightly longer than a leg waits for the response to its BYE. */
const CLOSE_POLLS = 75;
const CLOSE_POLL_MS = 20;
const RETRY_MS = 30_000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface CallServiceParts {
  readonly storage: Storage;
  readonly snapshots: AccountSnapshots;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly callRecordings: CallRecordings;
  readonly allowance: Allowance;
  readonly openTelephony: (user: TelephonyUser) => Promise<Telephony>;
  readonly counted: CallCounters;
  /** Where the journal of running calls is kept, for a process that is killed; without it there is no journal. */
  readonly journalFolder?: string;
  readonly ends: CallEnds;
  /** After the routes are loaded and before the first call: subscribers that must miss no event subscribe here. */
  readonly routesLoaded?: (callService: CallService) => void;
}

export type TrunkState = ReturnType<Telephony['trunkState']> & {
  /** No call is taken from them: the account may not have them, or another has them. */
  readonly unused_addresses: readonly string[];
};

export class CallService {
  readonly #routing: Routing;
  readonly #writer: RecordWriter;
  readonly #smsWriter: SmsWriter;
  readonly #switchboard: Switchboard;
  readonly #agentStates = new AgentStates();
  readonly callEvents: CallEvents;
  readonly eventStream: EventStream;
  readonly #parts: CallServiceParts;
  #telephony: Telephony | null = null;
  readonly #trunkSettings: TrunkSettings;
  readonly #journal: RunningCalls | null;
  #retry: NodeJS.Timeout | undefined;
  readonly #registrations: Registrations;

  private constructor(parts: CallServiceParts) {
    const { storage, snapshots, logger, clock, allowance } = parts;
    this.#parts = parts;
    this.#trunkSettings = new TrunkSettings(parts.sealer, logger);
    this.callEvents = new CallEvents((err) => logger.error({ err }, 'call event subscriber failed'));
    this.#journal =
      parts.journalFolder === undefined
        ? null
        : new RunningCalls(parts.journalFolder, (err) =>
            logger.warn({ err }, 'journal of running calls not written'),
          );
    this.eventStream = new EventStream(this.callEvents);
    this.#writer = new RecordWriter({
      storage,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'CDRs not written; retrying'),
      lost: (records) => logger.error({ records }, 'CDRs lost: too many are waiting for the database'),
      unserializable: (err, { id, callId }) =>
        logger.error({ err, call: id, callId }, 'CDR serialization failed; the record is lost'),
      settled: (id) => this.#journal?.recorded(id),
      ends: parts.ends,
    });
    this.#smsWriter = new SmsWriter({
      storage,
      clock,
      allowance,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'SMS not queued; retrying'),
      lost: (messages) => logger.error({ messages }, 'SMS lost: too many are waiting for the database'),
    });
    this.#registrations = new Registrations({
      storage,
      clock,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'registered phones not stored; retrying'),
      dropped: (err, { accountId, agent }) =>
        logger.warn(
          { err, accountId, agent },
          'registered phone not stored; it registers again after a restart',
        ),
      notLoaded: (err) =>
        logger.warn(
          { err },
          'registered phones not restored; agents are reachable when their phones register',
        ),
    });
    this.#routing = new Routing({
      storage,
      snapshots,
      changed: (accounts) => {
        this.#setTrunks(accounts);
        this.#telephony?.checkPhones();
      },
      failed: (err) => logger.warn({ err }, 'routes not refreshed; calls use the previous ones; retrying'),
    });
    const callLog = new CallLog(logger);
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
          'call failed',
        ),
      ended: (facts, result) => {
        const { end, answeredBy, ringMs, talkMs, trail } = result;
        const outcome = outcomeOf({ endCode: end.code, answeredBy, ringMs, talkMs, trail });
        parts.counted.callEnded(facts, result, outcome);
        callLog.ended(facts, result, outcome);
      },
      began: (facts, isFirst) => {
        this.#journal?.began(facts);
        if (!isFirst) return;
        parts.counted.callBegan(facts.direction);
        callLog.began(facts);
      },
      refused: (status, call) => {
        parts.counted.callRefused(status);
        callLog.refused(status, call);
      },
      callerAnswered: (id, atMs) => this.#journal?.callerAnswered(id, atMs),
      answered: (id, answer) => this.#journal?.answered(id, answer),
      phones: this.#registrations,
    });
    parts.callRecordings.onSaved((row, facts) => this.#publishSaved(row, facts));
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

  /** Records that calls are routed by have been written. */
  touch(): void {
    this.#routing.touch();
  }

  /** Resolves when the routes include all earlier writes. */
  async freshRoutes(): Promise<void> {
    await this.#routing.fresh();
  }

  readonly webhooksOf = (accountId: string): AccountRoutes['webhooks'] =>
    this.#routing.account(accountId)?.webhooks ?? [];

  /** The account's live calls, oldest first. */
  callsOf(accountId: string): LiveCall[] {
    return this.#switchboard.liveCallsOf(accountId);
  }

  /** False: the account has no such call. */
  hangUp(accountId: string, id: string): boolean {
    return this.#switchboard.hangUp(accountId, id);
  }

  /** Waits for the routes to include all earlier writes, such as a destination that was just created. */
  async transfer(
    accountId: string,
    id: string,
    party: 'caller' | 'called',
    to: Ref,
    by: TransferredBy,
  ): Promise<TransferOutcome> {
    await this.#routing.fresh();
    return this.#switchboard.transferTo(accountId, id, party, to, by);
  }

  async listenIn(accountId: string, id: string, eid: string, mode: ListenMode): Promise<ListenOutcome> {
    await this.#routing.fresh();
    return this.#switchboard.listenIn(accountId, id, eid, mode);
  }

  /** Waits for the routes to include all earlier writes, such as an agent who was just given the product. */
  async clickToCall(accountId: string, click: Click): Promise<ClickRefused | null> {
    await this.#routing.fresh();
    return this.#switchboard.clickToCall(accountId, click);
  }

  /** For a click to call: its id is in the response before the call exists. */
  newCallId(): string {
    return newId(this.#parts.clock.epochMs());
  }

  get calls(): number {
    return this.#switchboard.count;
  }

  queueOf(accountId: string, department: Ref): QueueView {
    const { queues } = this.#switchboard;
    const isPresent = (agent: string): boolean => this.#switchboard.isPresent(agent);
    return viewQueue({ queues, agentStates: this.#agentStates, isPresent }, accountId, department);
  }

  /** In the queues of all accounts. */
  get queued(): { readonly callers: number; readonly longestWaitMs: number } {
    const { waiting, longestWaitMs } = this.#switchboard.queues;
    return { callers: waiting, longestWaitMs };
  }

  get waitingRecords(): number {
    return this.#writer.waiting;
  }

  /** Why call records cannot be written at the moment; null: they can. */
  get recordFailure(): unknown {
    return this.#writer.failure;
  }

  phonesOf(accountId: string, eid: string): readonly PhoneBinding[] {
    return this.#telephony?.phonesOf(globalId(accountId, eid)) ?? [];
  }

  /** Null: SIP is off. */
  trunkState(accountId: string, id: string): TrunkState | null {
    const trunk = globalId(accountId, id);
    const state = this.#telephony?.trunkState(trunk);
    return state ? { ...state, unused_addresses: this.#trunkSettings.unusedAddresses(trunk) } : null;
  }

  report(): TelephonyReport | null {
    return this.#telephony?.report() ?? null;
  }

  /** Refuses new calls; live ones go on. */
  drain(): void {
    this.#telephony?.drain();
  }

  hangUpAll(): void {
    this.#switchboard.hangUpAll();
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#routing.close();
    this.eventStream.close();
    await this.#telephony?.close();
    // All legs are closed; a call whose phone owes the response to a BYE finishes a moment later.
    for (let polls = 0; polls < CLOSE_POLLS && this.calls > 0; polls++) await wait(CLOSE_POLL_MS);
    await this.#parts.callRecordings.settled();
    await this.#registrations.flush();
    this.#registrations.close();
    await this.#smsWriter.flush();
    await this.#writer.flush();
    this.#writer.close();
    await this.#journal?.close();
  }

  /** Retries while the database is unavailable, or its disk full. */
  async #recordInterrupted(): Promise<void> {
    const { journalFolder, logger, storage } = this.#parts;
    if (journalFolder === undefined || !this.#journal) return;
    try {
      await storage.probe();
      const parts = { ...this.#parts, callEvents: this.callEvents };
      const calls = await recordInterruptedCalls(journalFolder, parts, this.#journal.name);
      if (calls > 0) logger.warn({ calls }, 'calls interrupted by a crash; their records are written');
    } catch (err) {
      logger.error({ err }, 'interrupted calls not recorded; retrying');
      this.#retry = setTimeout(() => void this.#recordInterrupted(), RETRY_MS).unref();
    }
  }

  /** The e-mail address of the box is read now: boxes change. */
  async #publishSaved(row: CallRecordingRow, { call }: CallRecordingFacts): Promise<void> {
    const { id, box, durationMs: duration_ms, startedAtMs } = row;
    const atMs = Math.round(startedAtMs + row.durationMs);
    if (row.kind === 'call') {
      const recording = { id, agent: row.eid, duration_ms, audio: `/v1/call/recording/${id}/audio` };
      this.callEvents.publish('call.recorded', call, atMs, { recording });
      return;
    }
    const address = { accountId: row.accountId, kind: 'voicemail', id: box ?? '' } as const;
    // On failure CallRecordings calls again later: otherwise the e-mail would be lost.
    const stored = await this.#parts.storage.getRecord(address);
    const { name = null, email = null } = stored ? readData('voicemail', stored.json) : {};
    const voicemail = { id, box, box_name: name, email, duration_ms, audio: `/v1/voicemail/${id}/audio` };
    this.callEvents.publish('voicemail.received', call, atMs, { voicemail });
  }

  #setTrunks(accounts: readonly AccountRoutes[]): void {
    this.#telephony?.setTrunks(this.#trunkSettings.of(accounts));
  }
}
