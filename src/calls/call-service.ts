// All of call handling in one value: routing, agent states, live calls and their records; the telephone side in this thread. main.ts
// opens it with the telephony of its choice.
import type { StoredLiveCall } from '../storage/ports/live-calls.ts';
import type { Telephony } from '../telephony/telephony.ts';
import { openAgentTimes } from './agents/open-agent-times.ts';
import { openPresences, type Presences } from './agents/presences.ts';
import { type BusyLamps, openBusyLamps } from './busy-lamps/busy-lamps.ts';
import { CallLog } from './call-log.ts';
import type { CallNeeds } from './call-service-parts.ts';
import { callbackSettings } from './callbacks/callback-settings.ts';
import type { CallControl } from './control/call-control.ts';
import { ownCalls } from './control/own-calls.ts';
import { CallEvents } from './events/call-events.ts';
import { EventStream } from './events/event-stream.ts';
import { StoredAgentSettings } from './features/agent-settings.ts';
import { OwnLive } from './live/own-live.ts';
import { observeCalls } from './observe-calls.ts';
import { CallJournals } from './records/call-journals.ts';
import type { InterruptedCall } from './records/interrupted-calls.ts';
import { publishSaved } from './records/publish-saved.ts';
import { RecordWriter } from './records/record-writer.ts';
import { recoverRows, sealCall, type Takeover } from './recovery/lost-calls.ts';
import { abandon, recover, storeCall } from './recovery/node-calls.ts';
import { openRegistrations, type Registrations } from './registrations.ts';
import { ChangedSounds } from './routing/changed-sounds.ts';
import { type AccountRoutes, type Routes, Routing } from './routing/routing.ts';
import { TrunkOwners } from './routing/trunk-owners.ts';
import { TrunkSettings } from './routing/trunk-settings.ts';
import { SharedBans } from './shared-bans.ts';
import { SmsWriter } from './sms/sms-writer.ts';
import { Switchboard } from './switchboard.ts';

/** How long close() waits for the last calls: slightly longer than a leg waits for the response to its BYE. */
const CLOSE_POLLS = 75;
const CLOSE_POLL_MS = 20;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface CallServiceParts extends CallNeeds {
  /** After the routes are loaded and before the first call: subscribers that must miss no event subscribe here. */
  readonly routesLoaded?: (callService: CallService) => void;
}

export class CallService {
  /** What HTTP, metrics and other nodes ask. */
  readonly control: CallControl;
  readonly #routing: Routing;
  readonly #writer: RecordWriter;
  readonly #smsWriter: SmsWriter;
  readonly #switchboard: Switchboard;
  readonly callEvents: CallEvents;
  readonly #eventStream = new EventStream();
  readonly #parts: CallServiceParts;
  #telephony: Telephony | null = null;
  #isEnding = false;
  #isDrained = false;
  readonly #trunkSettings: TrunkSettings;
  readonly #journals: CallJournals;
  readonly #trunkOwners: TrunkOwners | null;
  readonly #bans: SharedBans | null;
  readonly #registrations: Registrations;
  readonly #presences: Presences;
  #closeAgentTimes: () => Promise<void> = async () => undefined;
  readonly #sounds: ChangedSounds;
  readonly #busyLamps: BusyLamps;
  readonly #live: OwnLive;

  private constructor(parts: CallServiceParts) {
    const { storage, snapshots, logger, clock, allowance } = parts;
    this.#parts = parts;
    this.#sounds = new ChangedSounds(parts.soundsChanged);
    this.#trunkSettings = new TrunkSettings(parts.sealer, logger);
    this.callEvents = new CallEvents(
      (err) => logger.error({ err }, 'call event subscriber failed'),
      parts.shared ? (id) => this.#journals.changed(id) : null,
    );
    this.#journals = this.#openJournals(parts);
    this.#writer = new RecordWriter({
      storage,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'CDRs not written; retrying'),
      lost: (records) => logger.error({ records }, 'CDRs lost: too many are waiting for the database'),
      unserializable: (err, { id, callId }) =>
        logger.error({ err, call: id, callId }, 'CDR serialization failed; the record is lost'),
      settled: (id) => this.#journals.recorded(id),
      held: (ended) => this.#journals.ended(ended),
      ends: parts.ends,
    });
    this.#smsWriter = new SmsWriter({
      storage,
      clock,
      allowance,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'SMS not queued; retrying'),
      lost: (messages) => logger.error({ messages }, 'SMS lost: too many are waiting for the database'),
    });
    this.#registrations = openRegistrations(parts);
    this.#trunkOwners = this.#ownersOf(parts);
    const { sharing } = parts;
    this.#bans = sharing ? new SharedBans(sharing.node, sharing.notices, clock) : null;
    this.#routing = new Routing({
      storage,
      snapshots,
      changed: (accounts) => {
        this.#setTrunks(accounts);
        this.#telephony?.checkPhones();
        this.#sounds.read(accounts);
        this.#busyLamps.routesChanged();
      },
      ...(parts.writtenElsewhere ? { writtenElsewhere: parts.writtenElsewhere } : {}),
      failed: (err) => logger.warn({ err }, 'routes not refreshed; calls use the previous ones; retrying'),
    });
    this.#presences = openPresences(parts);
    this.#switchboard = new Switchboard(
      {
        ...parts,
        presences: this.#presences,
        routing: this.#routing,
        callEvents: this.callEvents,
        smsWriter: this.#smsWriter,
        agentSettings: new StoredAgentSettings(storage, () => clock.epochMs()),
        outside: parts,
      },
      observeCalls({
        journals: this.#journals,
        writer: this.#writer,
        counted: parts.counted,
        log: new CallLog(logger),
      }),
      { callbacks: callbackSettings(parts), phones: this.#registrations, bans: this.#bans ?? undefined },
    );
    this.#busyLamps = openBusyLamps(parts, this.#routing, this.#switchboard);
    this.#live = this.#openLive(parts);
    this.control = ownCalls({
      switchboard: this.#switchboard,
      routing: this.#routing,
      presences: this.#presences,
      live: this.#live,
      events: this.#eventStream,
      writer: this.#writer,
      telephony: () => this.#telephony,
      isDraining: () => this.isDraining,
      setDrain: (isOn) => this.setDrain(isOn),
    });
    parts.callRecordings.onSaved((row, facts) => publishSaved(row, facts, storage, this.callEvents));
  }

  #openJournals(parts: CallServiceParts): CallJournals {
    return new CallJournals(
      { ...parts, callEvents: this.callEvents },
      {
        describe: (accountId, id) => this.#switchboard.operator.liveCallOf(accountId, id),
        store: (id) => sealCall(storeCall(this.#switchboard.calls, id), id, parts.sealer),
        taken: (ids) => abandon(this.#switchboard.calls, ids),
      },
    );
  }

  #openLive(parts: CallServiceParts): OwnLive {
    return new OwnLive({
      ...parts,
      stream: this.#eventStream,
      callEvents: this.callEvents,
      routing: this.#routing,
      switchboard: this.#switchboard,
      trunkSettings: this.#trunkSettings,
      trunkOwners: this.#trunkOwners,
      telephony: () => this.#telephony,
    });
  }

  static async open(parts: CallServiceParts): Promise<CallService> {
    const callService = new CallService(parts);
    const stream = callService.#eventStream;
    callService.callEvents.subscribe(
      (event) => stream.push(event),
      (accountId) => stream.isKept(accountId),
    );
    try {
      await callService.#routing.open();
      await callService.#presences.open();
      parts.routesLoaded?.(callService);
      await callService.#journals.recover();
      const telephony = await parts.openTelephony(callService.#switchboard);
      callService.#telephony = telephony;
      callService.#switchboard.environment.use(telephony);
      callService.#setTrunks([...callService.#routing.accounts()]);
      await callService.#switchboard.callbacks?.start();
      callService.#closeAgentTimes = await openAgentTimes(parts, {
        routing: callService.#routing,
        environment: callService.#switchboard.environment,
        presences: callService.#presences,
        callEvents: callService.callEvents,
      });
      callService.#live.changes.open();
      return callService;
    } catch (error) {
      await callService.close();
      throw error;
    }
  }

  readonly readRoutes = (): Promise<boolean> => this.#routing.read();
  readonly refreshRoutesSoon = (): void => this.#routing.refreshSoon();

  async freshRoutes(): Promise<void> {
    await this.#routing.fresh();
  }

  get routes(): Routes {
    return this.#routing;
  }

  /** Takes over what the node did for all: this one pings its phones, and registers at its trunks. */
  async nodeDied(node: string): Promise<void> {
    await this.#registrations.nodeDied(node);
    if (node !== this.#parts.sharing?.node) await this.#trunkOwners?.release(node);
  }

  drain(): void {
    this.#isEnding = true;
    this.#telephony?.drain();
    this.#switchboard.callbacks?.drain(true);
  }

  setDrain(isOn: boolean): void {
    this.#isDrained = isOn;
    if (isOn) this.#telephony?.drain();
    else if (!this.#isEnding) this.#telephony?.resume();
    this.#switchboard.callbacks?.drain(this.isDraining);
  }

  get isDraining(): boolean {
    return this.#isEnding || this.#isDrained;
  }

  hangUpAll(): void {
    this.#switchboard.hangUpAll();
  }

  async close(): Promise<void> {
    this.#journals.stopRecovering();
    const released = this.#switchboard.callbacks?.stop();
    this.#routing.close();
    this.#bans?.close();
    this.#presences.close();
    await this.#closeAgentTimes();
    this.#busyLamps.close();
    this.#live.changes.close();
    await this.#trunkOwners?.close();
    await this.#telephony?.close();
    // All legs are closed; a call whose phone owes the response to a BYE finishes a moment later.
    for (let polls = 0; polls < CLOSE_POLLS && this.#switchboard.count > 0; polls++)
      await wait(CLOSE_POLL_MS);
    await this.#parts.callRecordings.settled();
    await this.#registrations.flush();
    this.#registrations.close();
    await released;
    await this.#smsWriter.flush();
    await this.#writer.flush();
    this.#writer.close();
    await this.#journals.close();
  }

  async recordInterrupted(calls: readonly InterruptedCall[]): Promise<number> {
    return this.#journals.recordInterrupted(calls);
  }

  /** Calls of a node that died, which this one has claimed; those that cannot go on are returned. */
  recoverCalls(rows: readonly StoredLiveCall[], about: Takeover): StoredLiveCall[] {
    const { logger, sealer } = this.#parts;
    const failed = (err: unknown, call: string): void => logger.error({ err, call }, 'call not recovered');
    return recoverRows(rows, about, sealer, (lost) => recover(this.#switchboard.calls, lost), failed);
  }

  writeLiveCalls(): void {
    this.#journals.writeAll();
  }

  get running(): number {
    return this.#switchboard.count;
  }

  #ownersOf({ sharing, storage, clock, logger }: CallServiceParts): TrunkOwners | null {
    if (!sharing) return null;
    return new TrunkOwners({
      storage,
      clock,
      node: sharing.node,
      stateOf: (id) => this.#telephony?.trunkState(id),
      changed: () => this.#setTrunks([...this.#routing.accounts()]),
      failed: (err) => logger.warn({ err }, 'nodes not asked who registers at trunks; retrying'),
    });
  }

  #setTrunks(accounts: readonly AccountRoutes[]): void {
    const trunks = this.#trunkSettings.of(accounts);
    this.#telephony?.setTrunks(this.#trunkOwners?.assign(trunks) ?? trunks);
  }
}
