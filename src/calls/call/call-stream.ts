// The voice bot that a caller talks with: its stream, and the caller's leg that is linked with it.

import type { Flow } from '../../flow/flow.ts';
import type { OpenStream } from '../../flow/stream-phase.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { Leg } from '../../telephony/telephony.ts';
import type { BotStream, BotStreams } from '../bots/bot-streams.ts';
import type { CallFacts } from '../records/call-record.ts';
import type { CallInput } from './call-input.ts';
import type { CallLegs } from './call-legs.ts';

export interface StreamingCall extends Pick<CallInput, 'report'> {
  readonly facts: CallFacts;
  readonly flow: Flow;
  readonly legs: CallLegs;
}

export interface Talk {
  began(node: string): void;
  /** The caller talks on by another leg: what follows is another recording. */
  moved(node: string): void;
  ended(): void;
}

export class CallStream {
  readonly #bots: BotStreams;
  readonly #call: StreamingCall;
  readonly #talk: Talk;
  #stream: BotStream | null = null;
  /** That is linked with it. */
  #leg: Leg | null = null;
  /** Where the bot is that is there; null: it is not there yet. */
  #node: string | null = null;

  constructor(bots: BotStreams, call: StreamingCall, talk: Talk) {
    this.#bots = bots;
    this.#call = call;
    this.#talk = talk;
  }

  open({ request, node, url, parameters }: OpenStream): void {
    const { facts, flow } = this.#call;
    const record = flow.nodes.get(node);
    const sealedSecret = (record?.kind === 'stream' ? record.sealedSecret : undefined) ?? null;
    const { id: callId, accountId, caller, dialled } = facts;
    const { id } = splitReference(node);
    const call = this.#call;
    const stream = this.#bots.open(
      { accountId, callId, id, url, parameters, sealedSecret, caller, dialled },
      {
        opened: () => {
          this.#node = node;
          // Not earlier: until then the caller hears a tone. What was said before is not for the bot.
          this.#link();
          call.report({ type: 'stream-opened', request });
          this.#talk.began(node);
        },
        transfer: (destination) => call.report({ type: 'stream-transfer', request, destination }),
        setVariables: (values) => call.report({ type: 'stream-variables', request, values }),
        ended: (outcome) => {
          this.#unlink();
          call.report({ type: 'stream-ended', request, outcome });
        },
      },
    );
    this.#stream = stream;
  }

  /** The caller's leg may be another one. */
  relink(): void {
    if (this.#node !== null && this.#link()) this.#talk.moved(this.#node);
  }

  /** False: it is linked already. */
  #link(): boolean {
    const { leg } = this.#call.legs.caller;
    if (!this.#stream || leg === this.#leg) return false;
    this.#leg?.linkBot(null);
    this.#leg = leg;
    leg?.linkBot(this.#stream.ring);
    return true;
  }

  sendKey(key: string): void {
    this.#stream?.sendKey(key);
  }

  /** Idempotent. */
  close(): void {
    this.#stream?.close();
    this.#unlink();
  }

  #unlink(): void {
    if (!this.#stream) return;
    this.#stream = null;
    this.#node = null;
    this.#talk.ended();
    this.#leg?.linkBot(null);
    this.#leg = null;
  }
}
