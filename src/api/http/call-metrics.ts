// What is counted of calls, for Prometheus. Labels are words of our own lists: neither accounts nor numbers.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CallCounters } from '../../calls/call-log.ts';
import { type CallResult, OWN_END_CODES } from '../../calls/records/call-record.ts';
import { OUTCOMES, wasAnswered } from '../../domain/past-call.ts';

const DIRECTIONS = ['inbound', 'internal', 'outbound'] as const;
/** 403: may not call it; 404: no such number; 486 and 503: no room. */
const REFUSALS = ['403', '404', '486', '503'];
const DELAY_SECONDS = [1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 600];
const TALK_SECONDS = [5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];
const JITTER_SECONDS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2];

interface Made {
  readonly ended: Counter<'end'>;
  readonly offered: Counter<'direction'>;
  readonly answered: Counter<'direction'>;
  readonly outcomes: Counter<'direction' | 'outcome'>;
  readonly refused: Counter<'status'>;
  readonly answerDelay: Histogram;
  readonly talk: Histogram;
  readonly received: Counter;
  readonly lost: Counter;
  readonly jitter: Histogram;
  readonly oneWay: Counter;
}

export function callMetrics(registry: Registry): CallCounters {
  const made = make(registry);
  // At zero from the start: a series that appears with its first call has no rate for it.
  for (const direction of DIRECTIONS) {
    made.offered.inc({ direction }, 0);
    made.answered.inc({ direction }, 0);
    for (const outcome of OUTCOMES) made.outcomes.inc({ direction, outcome }, 0);
  }
  for (const end of OWN_END_CODES) made.ended.inc({ end }, 0);
  for (const status of REFUSALS) made.refused.inc({ status }, 0);
  return {
    callBegan: (direction) => made.offered.inc({ direction }),
    callRefused: (status) => made.refused.inc({ status: String(status) }),
    callEnded: ({ direction }, result, outcome) => {
      // It never began: it is offered and over at once.
      if (outcome === 'blocked' || outcome === 'refused') made.offered.inc({ direction });
      made.ended.inc({ end: result.end.code });
      made.outcomes.inc({ direction, outcome });
      if (wasAnswered(result)) made.answered.inc({ direction });
      countTimes(made, result);
      countQuality(made, result);
    },
  };
}

function countTimes({ answerDelay, talk }: Made, { trail, talkMs }: CallResult): void {
  const connected = trail.find(({ code }) => code === 'connected');
  if (connected) answerDelay.observe(connected.atMs / 1000);
  if (talkMs > 0) talk.observe(talkMs / 1000);
}

function countQuality({ received, lost, jitter, oneWay }: Made, { legs }: CallResult): void {
  for (const { statistics } of legs) {
    if (!statistics || statistics.packetsReceived === 0) continue;
    received.inc(statistics.packetsReceived);
    lost.inc(Math.max(0, statistics.packetsLost));
    if (Number.isFinite(statistics.jitterMs)) jitter.observe(statistics.jitterMs / 1000);
    if (statistics.oneWay) oneWay.inc();
  }
}

function make(registry: Registry): Made {
  const registers = [registry];
  const counter = (name: string, help: string) => new Counter({ name, help, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  return {
    ended: new Counter({
      name: 'dialtree_calls_ended_total',
      help: 'Calls that ended, by why.',
      labelNames: ['end'],
      registers,
    }),
    offered: new Counter({
      name: 'dialtree_calls_offered_total',
      help: 'Calls that began, were blocked, or were refused and have a record. A transfer begins a call.',
      labelNames: ['direction'],
      registers,
    }),
    answered: new Counter({
      name: 'dialtree_calls_answered_total',
      help: 'Calls that ended and that someone had answered, whatever their outcome.',
      labelNames: ['direction'],
      registers,
    }),
    outcomes: new Counter({
      name: 'dialtree_call_outcomes_total',
      help: 'Calls that ended, by their outcome (docs/call-records.md).',
      labelNames: ['direction', 'outcome'],
      registers,
    }),
    refused: new Counter({
      name: 'dialtree_calls_refused_total',
      help: 'Calls of phones and trunks that were refused before they began, by SIP status.',
      labelNames: ['status'],
      registers,
    }),
    answerDelay: histogram(
      'dialtree_call_answer_delay_seconds',
      'Time from the beginning of a call until a phone answered.',
      DELAY_SECONDS,
    ),
    talk: histogram(
      'dialtree_call_talk_seconds',
      'Time of talking, of calls that were answered.',
      TALK_SECONDS,
    ),
    received: counter('dialtree_rtp_packets_received_total', 'RTP packets received by legs that ended.'),
    lost: counter(
      'dialtree_rtp_packets_lost_total',
      'RTP packets that those legs were sent and did not receive.',
    ),
    jitter: histogram('dialtree_leg_jitter_seconds', 'Jitter of legs that ended (RFC 3550).', JITTER_SECONDS),
    oneWay: counter('dialtree_legs_one_way_total', 'Legs that ended with audio in one direction only.'),
  };
}

/** What a gauge with a label reads at each scrape. */
export function addTrunkGauge(
  registry: Registry,
  counts: () => Promise<Readonly<Record<string, number>>>,
): void {
  new Gauge({
    name: 'dialtree_trunks',
    help: 'Trunks: registered, failing (they need a registration and have none), unregistered (they need none); of all of them unreachable (no host answers OPTIONS).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const [state, count] of Object.entries(await counts())) this.set({ state }, count);
    },
  });
}
