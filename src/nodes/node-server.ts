// Answers what other nodes ask of this one. Every question names an account; the telephone side compares it with the account of
// the call, the phone or the trunk, as it does for requests over HTTP.
import type { CallControl, Machine } from '../calls/control/call-control.ts';
import type { NodeQuestion } from './node-question.ts';
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
      default: {
        const own = this.#own();
        return own ? answerOf(own, question) : undefined;
      }
    }
  }
}

type TelephoneQuestion = Exclude<
  NodeQuestion,
  { readonly op: 'follow' | 'unfollow' | 'next' | 'soundOf' | 'machine' }
>;

function answerOf(own: CallControl, question: TelephoneQuestion): Promise<unknown> {
  const { account } = question;
  switch (question.op) {
    case 'callsOf':
      return own.callsOf(account);
    case 'hangUp':
      return own.hangUp(account, question.id);
    case 'transfer': {
      const { id, party, to, by } = question;
      // What the other node has written is in the database, not yet in our routes.
      own.touch();
      return own.transfer(account, id, party, to, { kind: 'operator', id: by.id, name: by.name });
    }
    case 'consult': {
      const { id, order, by } = question;
      own.touch();
      return own.consult(account, id, order, { kind: 'operator', id: by.id, name: by.name });
    }
    case 'listenIn':
      own.touch();
      return own.listenIn(account, question.id, question.eid, question.mode);
    case 'addParty':
      own.touch();
      return own.addParty(account, question.id, question.number);
    case 'clickToCall': {
      const { id, eid, number } = question;
      own.touch();
      return own.clickToCall(account, { id, eid, number });
    }
    case 'placeCall': {
      const { id, number, destination, variables } = question;
      own.touch();
      return own.placeCall(account, { id, number, destination, variables });
    }
    case 'roomOf':
      return own.roomOf(account, question.id);
    case 'changeRoom': {
      const { do: what, call } = question;
      const change =
        what === 'lock' || what === 'unlock' ? ({ do: what } as const) : { do: what, call: call ?? '' };
      return own.changeRoom(account, question.id, change);
    }
    case 'agentsOf':
      return own.agentsOf(account, question.eids ?? undefined);
    case 'endWrapUp':
      return own.endWrapUp(account, question.eid);
    case 'phonesOf':
      return own.phonesOf(account, question.eid);
    case 'liveOf':
      return own.liveOf(account);
    case 'trunkState':
      return own.trunkState(account, question.id);
    case 'queueOf':
      return own.queueOf(account, question.department, question.eids);
    default:
      return question satisfies never;
  }
}
