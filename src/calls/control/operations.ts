// THE TABLE of what others ask of calls: of the thread that has them, and of other nodes. The methods of CallControl, the messages between
// the two threads, the questions between nodes and the merging of their answers derive from it. How to add a row: docs/adding-an-operation.md.
import type { PresenceChange } from '../../domain/agent-presence.ts';
import type { PhoneBinding } from '../../telephony/telephony.ts';
import { type AgentView, mergedViews } from '../agents/agent-view.ts';
import {
  type LiveCalls,
  type LiveView,
  mergedCalls,
  mergedLive,
  mergedPhones,
  mergedTrunk,
  NOTHING_LIVE,
  type NodeAnswer,
  type TrunkState,
} from '../live/live-view.ts';
import type { ClickRefused } from '../operator/click-to-call.ts';
import type { AddOutcome, ListenOutcome } from '../operator/third-party.ts';
import type { QueueView } from '../queues/queue-view.ts';
import type { RoomView } from '../rooms/live-room.ts';
import type { RoomOutcome } from '../rooms/rooms.ts';
import type { ConsultOutcome, TransferOutcome } from '../transfer-outcome.ts';
import {
  bool,
  consultOrder,
  type FieldsOf,
  isObject,
  list,
  nothing,
  oneOf,
  operator,
  orNull,
  plain,
  type Reader,
  record,
  recordOrNull,
  recordOver,
  ref,
  text,
  textByName,
  texts,
  word,
} from './fields.ts';

interface EachOperation<Asked, Answer> {
  /** As other nodes send it. During an upgrade they are of the former version: names and forms stay. */
  readonly asked: FieldsOf<Asked>;
  /** Undefined: the node that answers has no telephones. */
  readonly answer: Reader<Answer>;
  /** Equal questions that arrive while one is asked share the next answer. Never for what changes something. */
  readonly isShared?: true;
  /** Sees all earlier writes, also those of other nodes, such as a destination that was just created. */
  readonly seesWrites?: true;
}

/** Asked of the node that has the call or the room: this one first, then all others at once. */
interface OwnerOperation<Asked, Answer> extends EachOperation<Asked, Answer> {
  readonly scope: 'owner';
  /** What nodes answer that do not have it. */
  readonly none: NoInfer<Answer>;
  /** `fails`: a silent node may have it. */
  readonly whenSilent: 'fails' | 'none';
}

/** Any node can do it: this one, otherwise the first that has telephones. */
interface AnyOperation<Asked, Answer> extends EachOperation<Asked, Answer> {
  readonly scope: 'any';
  /** No node has telephones. */
  readonly none: (asked: NoInfer<Asked>) => NoInfer<Answer>;
  /** Where null is an answer, and what a node without telephones says: who has some is asked first, for this account. */
  readonly accountOf?: (asked: NoInfer<Asked>) => string;
  /** Where this node cannot reach the agent, one that can is asked: a phone may have its connection there. */
  readonly elsewhere?: {
    readonly isWanted: (answer: NoInfer<Answer>) => boolean;
    readonly agentOf: (asked: NoInfer<Asked>) => { readonly account: string; readonly eid: string };
  };
}

/** Each node knows a part. */
interface AllOperation<Asked, Answer> extends EachOperation<Asked, Answer> {
  readonly scope: 'all';
  /** `fails`: without the answer of every node nothing is known to be done. `partial`: `merge` says what is missing. */
  readonly whenSilent: 'fails' | 'partial';
  readonly merge: (
    answers: readonly NodeAnswer<NoInfer<Answer>>[],
    unanswered: readonly string[],
  ) => NoInfer<Answer>;
}

/** Asked of this node alone; other nodes cannot ask for it. */
interface OwnOperation<Asked, Answer> extends EachOperation<Asked, Answer> {
  readonly scope: 'own';
}

export type Operation<Asked, Answer> =
  | OwnerOperation<Asked, Answer>
  | AnyOperation<Asked, Answer>
  | AllOperation<Asked, Answer>
  | OwnOperation<Asked, Answer>;

const operation = <Asked, Answer>(row: Operation<Asked, Answer>): Operation<Asked, Answer> => row;

const OPERATIONS = {
  callsOf: operation({
    scope: 'all',
    asked: { account: text },
    answer: recordOver<LiveCalls>({ calls: [], unanswered: [] }),
    isShared: true,
    whenSilent: 'partial',
    merge: (answers, unanswered) => ({ calls: mergedCalls(answers), unanswered }),
  }),
  /** False: the account has no such call. */
  hangUp: operation({
    scope: 'owner',
    asked: { account: text, id: text },
    answer: bool,
    none: false,
    whenSilent: 'fails',
  }),
  transfer: operation({
    scope: 'owner',
    asked: { account: text, id: text, party: oneOf('caller', 'called'), to: ref, by: operator },
    answer: word<TransferOutcome>(),
    none: 'unknown',
    whenSilent: 'fails',
    seesWrites: true,
  }),
  /** A word with the destination first: begins, completes or cancels an attended transfer. */
  consult: operation({
    scope: 'owner',
    asked: { account: text, id: text, order: consultOrder, by: operator },
    answer: plain<ConsultOutcome>((value) => typeof value === 'string' || isObject(value)),
    none: 'unknown',
    whenSilent: 'fails',
    seesWrites: true,
  }),
  listenIn: operation({
    scope: 'owner',
    asked: { account: text, id: text, eid: text, mode: oneOf('monitor', 'whisper', 'barge') },
    answer: word<ListenOutcome>(),
    none: 'unknown',
    whenSilent: 'fails',
    seesWrites: true,
  }),
  /** A three-way call: the number joins the conversation once it has answered. */
  addParty: operation({
    scope: 'owner',
    asked: { account: text, id: text, number: text },
    answer: word<AddOutcome>(),
    none: 'unknown',
    whenSilent: 'fails',
    seesWrites: true,
  }),
  /** Null if the agent's phones ring. */
  clickToCall: operation({
    scope: 'any',
    asked: { account: text, id: text, eid: text, number: text },
    answer: recordOrNull<ClickRefused>(),
    none: () => ({ refused: 'agent-unreachable' as const }),
    elsewhere: {
      isWanted: (answer) => answer?.refused === 'agent-unreachable',
      agentOf: ({ account, eid }) => ({ account, eid }),
    },
    seesWrites: true,
  }),
  /** Null if the number rings. */
  placeCall: operation({
    scope: 'any',
    asked: { account: text, id: text, number: text, destination: ref, variables: textByName },
    answer: recordOrNull<ClickRefused>(),
    none: () => ({ refused: 'number-unreachable' as const }),
    accountOf: ({ account }) => account,
    seesWrites: true,
  }),
  /** With the state of each of `eids`, in their order. Queues and states are shared: each node knows those of all. */
  queueOf: operation({
    scope: 'any',
    asked: { account: text, department: ref, eids: texts },
    answer: record<QueueView>(),
    isShared: true,
    none: ({ eids }) => ({ waiting: [], placeMs: null, states: eids.map(() => 'away' as const) }),
  }),
  /** Null if the conference room is empty. A room is at one node. */
  roomOf: operation({
    scope: 'owner',
    asked: { account: text, id: text },
    answer: recordOrNull<RoomView>(),
    isShared: true,
    none: null,
    whenSilent: 'none',
  }),
  changeRoom: operation({
    scope: 'owner',
    asked: {
      account: text,
      id: text,
      do: oneOf('lock', 'unlock', 'mute', 'unmute', 'remove'),
      /** Null where the room itself changes. */
      call: orNull(text),
    },
    answer: word<RoomOutcome>(),
    none: 'empty',
    whenSilent: 'fails',
  }),
  /** All agents of the account, or these; those that do not exist are left out. Each node knows which agents its own calls ring and talk to. */
  agentsOf: operation({
    scope: 'all',
    asked: { account: text, eids: orNull(texts) },
    answer: list<AgentView>(),
    isShared: true,
    whenSilent: 'partial',
    merge: (answers, unanswered) => {
      const views = mergedViews(answers.map(({ answer }) => answer));
      if (unanswered.length === 0) return views;
      return views.map((view) => (view.state === 'free' ? { ...view, isUncertain: true } : view));
    },
  }),
  /** Stored, and known to the calls of this node. Rejects where it cannot be stored. */
  changePresence: operation({
    scope: 'own',
    asked: { account: text, eid: text, change: record<PresenceChange>() },
    answer: nothing,
  }),
  /** Before its time; without a wrap-up nothing changes. The node that had the call knows it; which one that is, no other does. */
  endWrapUp: operation({
    scope: 'all',
    asked: { account: text, eid: text },
    answer: nothing,
    whenSilent: 'fails',
    merge: () => null,
  }),
  phonesOf: operation({
    scope: 'all',
    asked: { account: text, eid: text },
    answer: list<PhoneBinding>(),
    isShared: true,
    whenSilent: 'partial',
    merge: (answers) => mergedPhones(answers.flatMap(({ answer }) => answer)),
  }),
  trunkState: operation({
    scope: 'all',
    asked: { account: text, id: text },
    answer: recordOrNull<TrunkState>(),
    isShared: true,
    whenSilent: 'partial',
    merge: (answers) => mergedTrunk(answers.flatMap(({ answer }) => answer ?? [])),
  }),
  /** All that changes by itself, in one answer. */
  liveOf: operation({
    scope: 'all',
    asked: { account: text },
    answer: recordOver<LiveView>(NOTHING_LIVE),
    isShared: true,
    whenSilent: 'partial',
    merge: mergedLive,
  }),
};

type Rows = typeof OPERATIONS;
export type OperationName = keyof Rows;
type AskedBy = {
  [Name in OperationName]: Rows[Name] extends Operation<infer Asked, infer _> ? Asked : never;
};
type AnswersOf = {
  [Name in OperationName]: Rows[Name] extends Operation<infer _, infer Answer> ? Answer : never;
};
export type AskedOf<Name extends OperationName> = AskedBy[Name];
export type AnswerOf<Name extends OperationName> = AnswersOf[Name];

/** A method for each row. */
export type CallOperations = {
  readonly [Name in OperationName]: (asked: AskedBy[Name]) => Promise<AnswersOf[Name]>;
};

const TABLE: { readonly [Name in OperationName]: Operation<AskedBy[Name], AnswersOf[Name]> } = OPERATIONS;

export const operationOf = <Name extends OperationName>(
  name: Name,
): Operation<AskedOf<Name>, AnswerOf<Name>> => TABLE[name];

export const isOperation = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name);

export const operate = <Name extends OperationName>(
  side: CallOperations,
  name: Name,
  asked: AskedOf<Name>,
): Promise<AnswerOf<Name>> => side[name](asked);

/** All operations by one function. */
export function everyOperation(
  ask: <Name extends OperationName>(name: Name, asked: AskedOf<Name>) => Promise<AnswerOf<Name>>,
): CallOperations {
  const method = <Name extends OperationName>(name: Name) => [
    name,
    (asked: AskedOf<Name>) => ask(name, asked),
  ];
  // A method for each row of the table.
  return Object.fromEntries(Object.keys(OPERATIONS).filter(isOperation).map(method)) as CallOperations;
}
