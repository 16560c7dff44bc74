import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../testing/fake-transactions.ts';
import { PEER_FLOW, TestBed, type Writing, write } from '../testing/test-bed.ts';
import type { Reply } from '../transactions/transactions.ts';
import type { NotifierOptions } from './notifier.ts';

const HEADERS = ['Event: dialog', 'Accept: application/dialog-info+xml', 'Expires: 300'];

class Bed {
  state: string | null = 'idle';
  refusal: Reply | null = null;
  isAllowed = true;
  subscriber = 'one';
  open = 0;
  change: () => void = () => undefined;
  readonly bed: TestBed;

  constructor(options: Partial<NotifierOptions<null>> = {}) {
    this.bed = new TestBed({
      events: {
        events: new Map([['dialog', 'application/dialog-info+xml']]),
        open: (_request, _caller, changed) => {
          if (this.refusal) return this.refusal;
          this.open += 1;
          this.change = changed;
          return {
            id: this.subscriber,
            group: 'account',
            contentType: 'application/dialog-info+xml',
            body: (version) => (this.state === null ? null : Buffer.from(`${this.state} ${version}`)),
            isAllowed: () => this.isAllowed,
            close: () => {
              this.open -= 1;
            },
          };
        },
        ...options,
      },
    });
  }

  subscribe(headers: readonly string[] = HEADERS, writing: Writing = {}) {
    return this.bed.receive(write('SUBSCRIBE', { headers, ...writing }));
  }

  get notifies(): SentRequest[] {
    return this.bed.transactions.sent.filter(({ request }) => request.method === 'NOTIFY');
  }

  get last(): SentRequest {
    const last = this.notifies.at(-1);
    if (!last) throw new Error('no NOTIFY');
    return last;
  }

  get bodies(): string[] {
    return this.notifies.map(({ request }) => `${request.body}`);
  }
}

describe('the notifier (RFC 6665)', () => {
  it('answers 200 with the granted time, and sends the state at once', () => {
    const bed = new Bed();
    const subscribe = bed.subscribe();
    expect(subscribe.statuses).toEqual([200]);
    expect(subscribe.header('expires')).toBe('300');
    expect(bed.last.header('event')).toBe('dialog');
    expect(bed.last.header('subscription-state')).toBe('active;expires=300');
    expect(bed.last.header('content-type')).toBe('application/dialog-info+xml');
    expect(bed.last.request.uri).toBe('sip:peer@192.0.2.9:5060');
    expect(bed.last.flow).toEqual(PEER_FLOW);
    expect(bed.bodies).toEqual(['idle 0']);
  });

  it.each([
    ['an unknown event', ['Event: winfo'], 489, 'allow-events', 'dialog'],
    ['no event', ['Expires: 60'], 489, 'allow-events', 'dialog'],
    [
      'a body that the phone does not read',
      ['Event: dialog', 'Accept: text/plain'],
      406,
      'accept',
      'application/dialog-info+xml',
    ],
    ['a time that is too short', ['Event: dialog', 'Expires: 10'], 423, 'min-expires', '60'],
  ])('refuses %s', (_what, headers, status, name, value) => {
    const refused = new Bed().subscribe(headers);
    expect(refused.statuses).toEqual([status]);
    expect(refused.header(name)).toBe(value);
  });

  it('grants ten minutes at most, and passes on the refusal of its owner', () => {
    const bed = new Bed();
    expect(bed.subscribe(['Event: dialog', 'Expires: 86400']).header('expires')).toBe('600');
    bed.refusal = { status: 404 };
    expect(bed.subscribe().statuses).toEqual([404]);
    expect(bed.open).toBe(1);
  });

  it('repeats the id of the event', () => {
    const bed = new Bed();
    bed.subscribe(['Event: dialog;id=7a', 'Expires: 300']);
    expect(bed.last.header('event')).toBe('dialog;id=7a');
  });

  it('sends the state once for Expires: 0, and keeps nothing', () => {
    const bed = new Bed();
    bed.subscribe(['Event: dialog', 'Expires: 0']);
    expect(bed.last.header('subscription-state')).toBe('terminated;reason=timeout');
    bed.last.answer(200);
    expect(bed.bed.agent.notifier?.count).toBe(0);
    expect(bed.open).toBe(0);
    expect(bed.bed.timers.count).toBe(0);
  });

  it('has one NOTIFY under way, and sends what changed meanwhile together', () => {
    const bed = new Bed();
    bed.subscribe();
    for (const state of ['trying', 'early', 'confirmed']) {
      bed.state = state;
      bed.change();
      bed.bed.timers.advance(500);
    }
    expect(bed.bodies).toEqual(['idle 0']);
    bed.last.answer(200);
    expect(bed.bodies).toEqual(['idle 0', 'confirmed 1']);
  });

  it('sends changes that follow each other within 200 ms together', () => {
    const bed = new Bed();
    bed.subscribe();
    bed.last.answer(200);
    bed.state = 'trying';
    bed.change();
    bed.state = 'early';
    bed.change();
    expect(bed.bodies).toEqual(['idle 0']);
    bed.bed.timers.advance(200);
    expect(bed.bodies).toEqual(['idle 0', 'early 1']);
    bed.last.answer(200);
    bed.bed.timers.advance(1000);
    bed.state = 'confirmed';
    bed.change();
    expect(bed.bodies.at(-1)).toBe('confirmed 2');
  });

  it('sends sixty watchers of one agent six NOTIFYs each in a second of a thousand changes', () => {
    const bed = new Bed();
    const changes: (() => void)[] = [];
    for (let phone = 0; phone < 60; phone++) {
      bed.subscriber = `phone ${phone}`;
      bed.subscribe(HEADERS, { callId: `lamp-${phone}` });
      changes.push(bed.change);
    }
    let answered = 0;
    const answer = (): void => {
      while (answered < bed.notifies.length) bed.notifies[answered++]?.answer(200);
    };
    answer();
    for (let ms = 0; ms < 1_000; ms++) {
      bed.state = `state ${ms}`;
      for (const change of changes) change();
      bed.bed.timers.advance(1);
      if (ms % 50 === 49) answer();
    }
    expect(bed.notifies.length).toBeLessThanOrEqual(60 * 6);
    bed.bed.timers.advance(200);
    answer();
    expect(bed.bodies.slice(-60).every((body) => body.startsWith('state 999 '))).toBe(true);
  });

  it('waits for a state that is not known yet', () => {
    const bed = new Bed();
    bed.state = null;
    expect(bed.subscribe().statuses).toEqual([200]);
    expect(bed.notifies).toEqual([]);
    bed.state = 'known';
    bed.change();
    expect(bed.bodies).toEqual(['known 0']);
  });

  it('is refreshed inside its dialog, and ended by Expires: 0', () => {
    const bed = new Bed();
    const tag = bed.subscribe().last.toTag ?? '';
    bed.last.answer(200);
    bed.bed.timers.advance(299_000);
    expect(bed.subscribe(HEADERS, { toTag: tag, seq: 2 }).statuses).toEqual([200]);
    bed.last.answer(200);
    expect(bed.bodies).toEqual(['idle 0', 'idle 1']);
    bed.bed.timers.advance(299_000);
    expect(bed.notifies).toHaveLength(2);
    bed.subscribe(['Event: dialog', 'Expires: 0'], { toTag: tag, seq: 3 });
    expect(bed.last.header('subscription-state')).toBe('terminated;reason=timeout');
    bed.last.answer(200);
    expect(bed.open).toBe(0);
    bed.subscribe(HEADERS, { toTag: tag, seq: 4 });
    expect(bed.bed.transactions.stateless.at(-1)?.status).toBe(481);
  });

  it('knows no dialog by its tag alone, and takes no request twice', () => {
    const bed = new Bed();
    const tag = bed.subscribe().last.toTag ?? '';
    bed.subscribe(HEADERS, { toTag: tag, seq: 2, fromTag: 'other' });
    bed.subscribe(HEADERS, { toTag: tag, seq: 2, callId: 'other' });
    expect(bed.bed.transactions.stateless.map(({ status }) => status)).toEqual([481, 481]);
    expect(bed.subscribe(HEADERS, { toTag: tag, seq: 0 }).statuses).toEqual([500]);
  });

  it('goes along the flow of the last refresh', () => {
    const bed = new Bed();
    const tag = bed.subscribe().last.toTag ?? '';
    bed.last.answer(200);
    const flow = { ...PEER_FLOW, remote: { address: '192.0.2.9', port: 40_000 } };
    bed.bed.receive(write('SUBSCRIBE', { headers: HEADERS, toTag: tag, seq: 2 }), flow);
    expect(bed.last.flow).toEqual(flow);
  });

  it('expires with a last NOTIFY', () => {
    const bed = new Bed();
    bed.subscribe();
    bed.last.answer(200);
    bed.bed.timers.advance(300_000);
    expect(bed.last.header('subscription-state')).toBe('terminated;reason=timeout');
    bed.last.events.failed('timeout');
    expect(bed.open).toBe(0);
  });

  it.each([
    ['481', (sent: SentRequest) => void sent.answer(481)],
    ['a refusal', (sent: SentRequest) => void sent.answer(405)],
    ['silence', (sent: SentRequest) => sent.events.failed('timeout')],
    ['a broken connection', (sent: SentRequest) => sent.events.failed('transport')],
  ])('is removed by %s', (_what, answer) => {
    const bed = new Bed();
    bed.subscribe();
    answer(bed.last);
    expect(bed.bed.agent.notifier?.count).toBe(0);
    expect([bed.open, bed.bed.timers.count]).toEqual([0, 0]);
    bed.change();
    expect(bed.notifies).toHaveLength(1);
  });

  it('sends nothing to a subscriber who may see nothing any more', () => {
    const bed = new Bed();
    const tag = bed.subscribe().last.toTag ?? '';
    bed.last.answer(200);
    bed.isAllowed = false;
    bed.subscribe(HEADERS, { toTag: tag, seq: 2 });
    expect(bed.bed.transactions.stateless.at(-1)?.status).toBe(481);
    expect([bed.notifies.length, bed.open]).toEqual([1, 0]);
  });

  it('removes on check what is not allowed any more', () => {
    const bed = new Bed();
    bed.subscribe();
    bed.bed.agent.notifier?.check();
    expect(bed.open).toBe(1);
    bed.isAllowed = false;
    bed.bed.agent.notifier?.check();
    expect(bed.open).toBe(0);
  });

  it('replaces the subscription of a phone that has restarted', () => {
    const bed = new Bed();
    bed.subscribe(HEADERS, { callId: 'before' });
    bed.subscribe(HEADERS, { callId: 'after' });
    expect([bed.open, bed.bed.agent.notifier?.count]).toEqual([1, 1]);
    bed.subscribe(HEADERS, { callId: 'other', uri: 'sip:101@192.0.2.1' });
    expect(bed.open).toBe(2);
  });

  it('takes no more than a subscriber, an account and all together may have', () => {
    const bed = new Bed({ limits: { perSubscriber: 2, perGroup: 3 } });
    const subscribe = (uri: string) => bed.subscribe(HEADERS, { callId: uri, uri: `sip:${uri}@192.0.2.1` });
    expect(['1', '2', '3'].map((uri) => subscribe(uri).last.status)).toEqual([200, 200, 503]);
    bed.subscriber = 'two';
    expect(['4', '5'].map((uri) => subscribe(uri).last.status)).toEqual([200, 503]);
    expect(bed.open).toBe(3);
    for (const sent of bed.notifies) sent.answer(481);
    expect(bed.open).toBe(0);
    expect(subscribe('6').last.status).toBe(200);
  });

  it('refuses addresses that are too long to be held', () => {
    const bed = new Bed();
    expect(bed.subscribe([...HEADERS, `Contact: <sip:${'x'.repeat(4000)}@192.0.2.9>`]).statuses).toEqual([
      400,
    ]);
    expect(bed.open).toBe(0);
  });

  it('asks phones to subscribe again when it closes', () => {
    const bed = new Bed();
    bed.subscribe();
    bed.last.answer(200);
    bed.bed.agent.notifier?.close();
    expect(bed.last.header('subscription-state')).toBe('terminated;reason=probation;retry-after=10');
    expect([bed.open, bed.bed.timers.count]).toEqual([0, 0]);
  });
});
