// Whatever a peer sends and whenever its answers come: nothing throws, every request gets its answer, every call ends once,
// and nothing is left.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IncomingSession, OutgoingSession } from '../session.ts';
import type { ReceivedRequest } from '../testing/fake-transactions.ts';
import { type Listener, settle, TestBed, write } from '../testing/test-bed.ts';

const RUNS = Number(process.env['SIP_RANDOM_RUNS'] ?? 300);

const METHODS = [
  'INVITE',
  'UPDATE',
  'INFO',
  'REFER',
  'PRACK',
  'OPTIONS',
  'NOTIFY',
  'SUBSCRIBE',
  'FOO',
  'BYE',
];
const HEADERS = [
  'Session-Expires: 90;refresher=uas',
  'Session-Expires: 10',
  'Session-Expires: x',
  'Min-SE: 4000000000',
  'Supported: timer, 100rel',
  'Require: nothing',
  'Contact: <sip:elsewhere@203.0.113.9>',
  'Contact: <sip:name.example>',
  'Refer-To: <sip:300@example.com?Replaces=%zz>',
  'RAck: 1 1 INVITE',
  'Reason: Q.850;cause=999',
  'Info-Package: x',
  'Record-Route: <sip:x.example>',
];
const STATUSES = [100, 180, 183, 200, 202, 302, 401, 407, 408, 422, 481, 486, 488, 491, 500, 503, 603];

const step = fc.oneof(
  fc.record({
    kind: fc.constant('request' as const),
    method: fc.constantFrom(...METHODS),
    headers: fc.subarray(HEADERS, { maxLength: 3 }),
    body: fc.constantFrom('', 'offer'),
    skip: fc.integer({ min: -2, max: 3 }),
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    which: fc.nat(5),
    status: fc.constantFrom(...STATUSES),
    toTag: fc.constantFrom('peer', 'fork'),
    headers: fc.constantFrom(
      [],
      [['require', '100rel'] as const, ['rseq', '1'] as const],
      [['min-se', '200'] as const],
      [['session-expires', '90;refresher=uac'] as const],
    ),
  }),
  fc.record({ kind: fc.constant('failed' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(10, 500, 5000, 40_000, 2_000_000) }),
  fc.record({
    kind: fc.constant('us' as const),
    what: fc.constantFrom(
      'ring',
      'early',
      'answer',
      'reinvite',
      'hangUp',
      'accept',
      'refuse',
      'refer',
      'ack',
      'cancel',
    ),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays the steps against a call; the peer's transactions end as the real layer would end them. */
class Play {
  readonly bed = new TestBed();
  readonly received: ReceivedRequest[] = [];
  readonly listener: Listener;
  readonly #session: IncomingSession | OutgoingSession;
  readonly #invited: ReturnType<TestBed['invited']> | null;
  readonly #finished = new Set<unknown>();
  #seq = 1;

  constructor(incoming: boolean) {
    this.#invited = incoming ? this.bed.invited({ body: 'offer' }) : null;
    const outgoing = incoming ? null : this.bed.call();
    this.listener = this.#invited?.listener ?? outgoing?.listener ?? unreachable();
    this.#session = this.#invited?.session ?? outgoing?.session ?? unreachable();
    if (this.#invited !== null) this.received.push(this.#invited.invite);
  }

  get #ourTag(): string {
    const invite = this.#invited?.invite.replies.find(({ toTag }) => toTag !== undefined)?.toTag;
    return this.#invited === null ? (this.#session.invite.from.params.get('tag') ?? '') : (invite ?? 'none');
  }

  do(each: Step): void {
    if (each.kind === 'wait') this.bed.timers.advance(each.ms);
    else if (each.kind === 'us') this.#us(each.what);
    else if (each.kind === 'request') {
      const { method, body } = each;
      // The parser lets most headers through once only.
      const headers = [...new Map(each.headers.map((line) => [line.slice(0, 6), line])).values()];
      this.#seq = Math.max(0, this.#seq + each.skip);
      const names = { callId: this.#session.callId, toTag: this.#ourTag, seq: this.#seq };
      const refused = this.bed.transactions.stateless.length;
      const received = this.bed.receive(write(method, { ...names, headers, body }));
      if (this.bed.transactions.stateless.length === refused) this.received.push(received);
    } else this.#answered(each);
  }

  #answered(each: Extract<Step, { kind: 'answer' | 'failed' }>): void {
    const sent = this.bed.transactions.sent.at(-1 - each.which);
    if (sent === undefined) return;
    if (each.kind === 'failed') {
      if (this.#finished.has(sent)) return;
      this.#finished.add(sent);
      sent.events.failed('timeout');
      return;
    }
    const { status, toTag, headers } = each;
    const again = this.#finished.has(sent);
    const isRepeated2xx = sent.request.method === 'INVITE' && status >= 200 && status < 300;
    if (again && !(isRepeated2xx && sent.accepted)) return;
    if (status >= 200) this.#finished.add(sent);
    if (isRepeated2xx) sent.accepted = true;
    sent.answer(status, { toTag, headers, body: Buffer.from('answer') });
  }

  #us(what: string): void {
    const session = this.#session;
    if (what === 'hangUp') session.hangUp();
    else if (what === 'reinvite') session.reinvite(Buffer.from('ours'), () => {});
    else if (what === 'accept') this.listener.answer?.(Buffer.from('fine'));
    else if (what === 'refuse') this.listener.answer?.(null);
    else if (what === 'refer') this.listener.accept?.(true)?.notify(200);
    else if (this.#invited !== null && 'progress' in session) {
      if (what === 'ring') session.progress(180);
      else if (what === 'early') session.progress(183, Buffer.from('early'));
      else if (what === 'answer') session.answer(Buffer.from('answer'));
      else if (what === 'cancel') this.#invited.cancel();
      else if (what === 'ack' && this.#ourTag !== 'none') this.#invited.ack(this.#seq);
    }
  }

  /** Hangs up and lets every transaction and timer come to its end. */
  async finish(): Promise<void> {
    this.#session.hangUp();
    this.listener.accept?.(603);
    for (let turn = 0; turn < 10; turn++) {
      await settle();
      for (const sent of this.bed.transactions.sent) {
        if (this.#finished.has(sent)) continue;
        this.#finished.add(sent);
        if (sent.request.method === 'INVITE') sent.answer(487);
        else sent.events.failed('timeout');
      }
      this.bed.timers.advance(100_000);
    }
  }
}

function unreachable(): never {
  throw new Error('a call has two kinds');
}

describe.each([
  ['to us', true],
  ['of ours', false],
])('a call %s', (_which, incoming) => {
  it('survives whatever the peer does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const play = new Play(incoming);
        for (const each of steps) play.do(each);
        await play.finish();
        expect(play.listener.ends.length).toBe(1);
        expect(play.listener.log.at(-1)).toMatch(/^ended/);
        expect(play.bed.agent.sessions).toBe(0);
        expect(play.bed.timers.count).toBe(0);
        for (const { request, statuses } of play.received) {
          const finals = statuses.filter((status) => status >= 200);
          if (request.method === 'REFER' && finals.length === 0) continue;
          expect(new Set(finals).size, `${request.method} got ${statuses}`).toBe(1);
          if (finals[0] !== 200) expect(finals.length).toBe(1);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
