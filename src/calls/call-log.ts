// Calls in the log: one line when a call begins, one when it ends, one for each that is refused; and what is counted of them.
import type { Logger } from 'pino';
import type { Outcome } from '../domain/past-call.ts';
import type { TrailEntry } from '../flow/trail.ts';
import type { IncomingCall } from '../telephony/telephony.ts';
import type { CallDirection, CallFacts, CallResult } from './records/call-record.ts';

/** Called for every call: counters alone. */
export interface CallCounters {
  callBegan(direction: CallDirection): void;
  callEnded(facts: CallFacts, result: CallResult, outcome: Outcome): void;
  /** A known peer was refused before it became a call. */
  callRefused(status: number): void;
}

/** Lines of refused calls in a second: an account at its limit may be called a thousand times in it. Metrics count all. */
export const REFUSED_LINES = 20;
/** Numbers and names come from peers. */
const MAX_TEXT = 64;
const short = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

export class CallLog {
  readonly #logger: Pick<Logger, 'info' | 'error' | 'isLevelEnabled'>;
  #refused = { second: 0, lines: 0 };

  constructor(logger: Pick<Logger, 'info' | 'error' | 'isLevelEnabled'>) {
    this.#logger = logger;
  }

  failed(err: unknown, { id, callId }: CallFacts, trail: readonly TrailEntry[]): void {
    const steps = trail.slice(-20).map(({ code, node }) => `${code} ${node ?? ''}`);
    this.#logger.error({ err, call: id, callId, trail: steps }, 'call failed');
  }

  began({ id, accountId, callId, direction, caller, dialled, entry }: CallFacts): void {
    if (!this.#logger.isLevelEnabled('info')) return;
    this.#logger.info(
      {
        call: id,
        account: accountId,
        sip_call_id: short(callId),
        direction,
        caller: caller === null ? null : short(caller),
        dialled: short(dialled),
        entry: short(entry),
      },
      'call began',
    );
  }

  ended({ id, accountId }: CallFacts, result: CallResult, outcome: Outcome): void {
    if (!this.#logger.isLevelEnabled('info')) return;
    const { end, durationMs, waitMs, ringMs, talkMs, answeredBy } = result;
    this.#logger.info(
      {
        call: id,
        account: accountId,
        outcome,
        end: end.code,
        answered_by: answeredBy,
        duration_ms: Math.round(durationMs),
        wait_ms: waitMs,
        ring_ms: ringMs,
        talk_ms: talkMs,
        ...qualityOf(result),
      },
      'call ended',
    );
  }

  /** Null if refused before what it dials was read, since the account has no room. */
  refused(status: number, call: IncomingCall | null): void {
    if (!this.#logger.isLevelEnabled('info')) return;
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#refused.second) this.#refused = { second, lines: 0 };
    this.#refused.lines += 1;
    if (this.#refused.lines > REFUSED_LINES) return;
    const { peer, dialled = '', caller = null, callId = '' } = call ?? {};
    this.#logger.info(
      {
        status,
        ...(call && {
          sip_call_id: short(callId),
          from: peer && 'id' in peer ? `${peer.kind} ${peer.id}` : peer?.kind,
          caller: caller === null ? null : short(caller),
          dialled: short(dialled),
        }),
      },
      'call refused',
    );
  }
}

/** The quality of all its sides together; the worst jitter among them. */
function qualityOf({ legs }: CallResult): object {
  let [received, lost, jitterMs, oneWay] = [0, 0, 0, false];
  for (const { statistics } of legs) {
    if (!statistics) continue;
    received += statistics.packetsReceived;
    lost += statistics.packetsLost;
    // NaN, of a leg without packets, is not larger.
    if (statistics.jitterMs > jitterMs) jitterMs = statistics.jitterMs;
    oneWay ||= statistics.oneWay;
  }
  const lossPercent = received + lost === 0 ? 0 : Math.round((1000 * lost) / (received + lost)) / 10;
  return {
    packets_received: received,
    packets_lost: lost,
    loss_percent: lossPercent,
    jitter_ms: Math.round(jitterMs * 10) / 10,
    ...(oneWay ? { one_way: true } : {}),
  };
}
