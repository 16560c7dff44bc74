// The port to calls in this thread: each operation over the live calls of this node.
import { StorageError } from '../../storage/storage.ts';
import type { Telephony } from '../../telephony/telephony.ts';
import type { Presences } from '../agents/presences.ts';
import { endWrapUp } from '../agents/wrap-up.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { OwnLive } from '../live/own-live.ts';
import { viewQueue } from '../queues/queue-view.ts';
import type { RecordWriter } from '../records/record-writer.ts';
import { globalId } from '../routing/dialling.ts';
import type { Routing } from '../routing/routing.ts';
import type { Switchboard } from '../switchboard.ts';
import type { CallControl, RecordFailure } from './call-control.ts';
import type { CallOperations } from './operations.ts';

interface OwnCalls {
  readonly switchboard: Switchboard;
  readonly routing: Routing;
  readonly presences: Presences;
  readonly live: OwnLive;
  readonly events: EventStream;
  readonly writer: RecordWriter;
  /** Null until it is open. */
  readonly telephony: () => Telephony | null;
  readonly isDraining: () => boolean;
  readonly setDrain: (isOn: boolean) => void;
}

export function ownCalls(own: OwnCalls): CallControl {
  const { switchboard, routing, events, writer, telephony } = own;
  return {
    ...operations(own),
    follow: async (accountId, lastEventId) => events.follow(accountId, lastEventId),
    report: async () => telephony()?.report() ?? null,
    recordFailure: async () => failureOf(writer),
    counts: async () => {
      const { waiting, longestWaitMs } = switchboard.environment.queues;
      return {
        calls: switchboard.count,
        isDraining: own.isDraining(),
        queued: { callers: waiting, longestWaitMs },
        waitingRecords: writer.waiting,
        recordFailure: failureOf(writer),
        report: telephony()?.report() ?? null,
      };
    },
    touch: () => routing.touch(),
    setDrain: own.setDrain,
  };
}

function operations({ switchboard, routing, presences, live, telephony }: OwnCalls): CallOperations {
  const { environment, operator } = switchboard;
  return {
    callsOf: async ({ account }) => ({ calls: operator.liveCallsOf(account), unanswered: [] }),
    hangUp: async ({ account, id }) => operator.hangUp(account, id),
    // Those that read the routes do so after all earlier writes.
    transfer: async ({ account, id, party, to, by }) => {
      await routing.fresh();
      return operator.transferTo(account, id, party, to, by);
    },
    consult: async ({ account, id, order, by }) => {
      await routing.fresh();
      return operator.consult(account, id, order, by);
    },
    listenIn: async ({ account, id, eid, mode }) => {
      await routing.fresh();
      return operator.listenIn(account, id, eid, mode);
    },
    addParty: async ({ account, id, number }) => {
      await routing.fresh();
      return operator.addParty(account, id, number);
    },
    clickToCall: async ({ account, ...click }) => {
      await routing.fresh();
      return operator.clickToCall(account, click);
    },
    placeCall: async ({ account, ...placed }) => {
      await routing.fresh();
      return operator.clickToCall(account, placed);
    },
    queueOf: async ({ account, department, eids }) => viewQueue(environment, account, department, eids),
    agentsOf: async ({ account, eids }) => environment.desk.viewOf(account, eids ?? undefined),
    changePresence: async ({ account, eid, change }) => {
      await presences.change(account, eid, change);
      return null;
    },
    endWrapUp: async ({ account, eid }) => {
      await endWrapUp(environment, account, eid);
      return null;
    },
    roomOf: async ({ account, id }) => environment.rooms.view(account, id),
    changeRoom: async ({ account, id, ...change }) => environment.rooms.change(account, id, change),
    phonesOf: async ({ account, eid }) => telephony()?.phonesOf(globalId(account, eid)) ?? [],
    trunkState: async ({ account, id }) => live.trunkState(account, id),
    liveOf: async ({ account }) => live.view(account),
  };
}

function failureOf({ failure }: RecordWriter): RecordFailure | null {
  if (failure === null) return null;
  return failure instanceof StorageError && failure.reason === 'full' ? 'full' : 'unavailable';
}
