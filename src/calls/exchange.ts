// The whole telephone side of the service in one value: what calls are routed by, who is on a call, the calls themselves and
// their records. main.ts opens it with the telephony of its choice.
import type { Logger } from 'pino';
import { newId } from '../domain/id.ts';
import { type Sealer, trunkPlace } from '../domain/sealer.ts';
import type { Ref } from '../flow/node.ts';
import type { Storage } from '../storage/storage.ts';
import type { Telephony, TelephonyReport, TelephonyUser, Trunk } from '../telephony/telephony.ts';
import type { CallFacts, CallResult } from './call-record.ts';
import type { Click, ClickRefused } from './click-to-call.ts';
import { systemClock } from './clock.ts';
import { Desk } from './desk.ts';
import { globalId } from './dialling.ts';
import type { Flows } from './flows.ts';
import type { LiveCall } from './live-calls.ts';
import { NewsDesk } from './news.ts';
import { NewsFeed } from './news-feed.ts';
import { RecordWriter } from './record-writer.ts';
import { type AccountRoutes, Routing } from './routing.ts';
import { Switchboard, type Transferred } from './switchboard.ts';
import type { TextAllowance } from './text-allowance.ts';
import { Texter } from './texter.ts';

export interface ExchangeParts {
  readonly storage: Storage;
  readonly flows: Flows;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly allowance: TextAllowance;
  readonly openTelephony: (user: TelephonyUser) => Promise<Telephony>;
  readonly ended: (facts: CallFacts, result: CallResult) => void;
}

export class Exchange {
  readonly #routing: Routing;
  readonly #writer: RecordWriter;
  readonly #texter: Texter;
  readonly #switchboard: Switchboard;
  readonly #desk = new Desk();
  /** What happens in calls, for whoever listens: webhooks, live lists. */
  readonly news: NewsDesk;
  readonly feed: NewsFeed;
  readonly #parts: ExchangeParts;
  #telephony: Telephony | null = null;
  /** Trunks whose password cannot be read; told once. */
  readonly #locked = new Set<string>();

  private constructor(parts: ExchangeParts) {
    const { storage, flows, logger, allowance } = parts;
    this.#parts = parts;
    this.news = new NewsDesk((err) => logger.error({ err }, 'a listener to the news of calls failed'));
    this.feed = new NewsFeed(this.news);
    this.#writer = new RecordWriter({
      storage,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'call records were not written; trying again'),
      lost: (records) =>
        logger.error({ records }, 'call records were lost: the database was away for too long'),
    });
    this.#texter = new Texter({
      storage,
      clock: systemClock,
      allowance,
      failed: (err, waiting) => logger.warn({ err, waiting }, 'text messages were not queued; trying again'),
      lost: (messages) => logger.error({ messages }, 'text messages were lost: too many were waiting'),
    });
    this.#routing = new Routing({
      storage,
      flows,
      changed: (accounts) => this.#setTrunks(accounts),
      failed: (err) => logger.warn({ err }, 'calls are routed by what was known before; trying again'),
    });
    this.#switchboard = new Switchboard({
      routing: this.#routing,
      desk: this.#desk,
      clock: systemClock,
      writer: this.#writer,
      news: this.news,
      texter: this.#texter,
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
    });
  }

  static async open(parts: ExchangeParts): Promise<Exchange> {
    const exchange = new Exchange(parts);
    await exchange.#routing.open();
    const telephony = await parts.openTelephony(exchange.#switchboard).catch((error: unknown) => {
      exchange.#routing.close();
      throw error;
    });
    exchange.#telephony = telephony;
    exchange.#switchboard.use(telephony);
    exchange.#setTrunks([...exchange.#routing.accounts()]);
    return exchange;
  }

  /** Something was written that calls may be routed by. */
  touch(): void {
    this.#routing.touch();
  }

  /** The account's calls that live now, oldest first. */
  callsOf(accountId: string): LiveCall[] {
    return this.#switchboard.liveCallsOf(accountId);
  }

  /** Whether there was such a call. */
  hangUp(accountId: string, id: string): boolean {
    return this.#switchboard.hangUp(accountId, id);
  }

  transfer(accountId: string, id: string, party: 'caller' | 'called', to: Ref): Transferred {
    return this.#switchboard.transferTo(accountId, id, party, to);
  }

  /** After all that was written before: an agent who was given the product a moment ago has it. */
  async clickToCall(accountId: string, wanted: Click): Promise<ClickRefused | null> {
    await this.#routing.fresh();
    return this.#switchboard.clickToCall(accountId, wanted);
  }

  /** For a call that is begun by us: it can be told before it is there. */
  newCallId(): string {
    return newId(systemClock.epochMs());
  }

  get calls(): number {
    return this.#switchboard.count;
  }

  get waitingRecords(): number {
    return this.#writer.waiting;
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
    this.feed.close();
    await this.#telephony?.close();
    await this.#texter.flush();
    await this.#writer.flush();
    this.#writer.close();
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
