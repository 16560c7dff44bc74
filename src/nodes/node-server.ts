// Answers what other nodes ask of this one. Every question names an account; the telephone side compares it with the account of
// the call, the phone or the trunk, as it does for requests over HTTP.
import type { CallControl, Machine } from '../calls/control/call-control.ts';
import { type OperationName, operate, operationOf } from '../calls/control/operations.ts';
import type { NodeQuestion, OperationQuestion } from './node-question.ts';
import { type RelayParts, RelaySessions } from './relay-sessions.ts';

/** A part of a sound of this node, base64, and the length of the whole; null: it is not here. */
export type SoundPart = { readonly length: number; readonly content: string } | null;

export interface NodeServerParts extends RelayParts {
  soundPart(account: string, id: string, from: number, bytes: number): Promise<SoundPart>;
  machine(): Promise<Machine>;
}

export class NodeServer {
  readonly #own: () => CallControl | null;
  readonly #soundPart: NodeServerParts['soundPart'];
  readonly #machine: NodeServerParts['machine'];
  readonly relays: RelaySessions;

  constructor(parts: NodeServerParts) {
    this.#own = parts.own;
    this.#soundPart = parts.soundPart;
    this.#machine = parts.machine;
    this.relays = new RelaySessions(parts);
  }

  close(): void {
    this.relays.close();
  }

  /** `from`: the id of the node that asks. Undefined: this node has no telephones. */
  async answer(from: string, question: NodeQuestion): Promise<unknown> {
    if ('asked' in question) {
      const own = this.#own();
      return own ? answerOf(own, question) : undefined;
    }
    switch (question.op) {
      case 'follow':
        return this.relays.follow(from, question.session, question.account, question.after);
      case 'unfollow':
        return this.relays.unfollow(from, question.session, question.account) ?? null;
      case 'soundOf':
        return this.#soundPart(question.account, question.id, question.from, question.bytes);
      case 'machine':
        return this.#machine();
      case 'next':
        return this.relays.next(from, question.session, question.withinMs);
      default:
        return question satisfies never;
    }
  }
}

function answerOf<Name extends OperationName>(
  own: CallControl,
  { op, asked }: OperationQuestion<Name>,
): Promise<unknown> {
  // What the other node has written is in the database, not yet in our routes.
  if (operationOf(op).seesWrites) own.touch();
  return operate(own, op, asked);
}
