// The telephone side, asked by the thread of the API: what its own thread offers, and the port CallControl made of that.
import type { CallControl, Followed, Following, FollowRefused } from '../../calls/control/call-control.ts';
import { TelephonesUnavailable } from '../../calls/control/call-control.ts';
import {
  type AnswerOf,
  type AskedOf,
  everyOperation,
  type OperationName,
  operate,
  operationOf,
} from '../../calls/control/operations.ts';
import type { Link } from './link.ts';
import { Together } from './together.ts';

const ANSWER_MS = 5_000;

/** What is plain data of it. */
type Place = Pick<Following, 'missed' | 'position' | 'suffix'>;

/** CallControl as plain data: a Following has an id, which the API chooses. */
export interface CallControlThread extends Omit<CallControl, OperationName | 'follow'> {
  operate<Name extends OperationName>(name: Name, asked: AskedOf<Name>): Promise<AnswerOf<Name>>;
  follow(id: number, accountId: string, lastEventId: string | null): Promise<Place | FollowRefused>;
  nextEvents(id: number, withinMs: number): Promise<Followed>;
  closeFollowing(id: number): void;
}

export const unavailable = (): TelephonesUnavailable =>
  new TelephonesUnavailable('The telephone side does not answer.');

/** Offered by the thread of the telephone side. `side` is null while it opens, and where SIP is off. */
export function offerCallControl(side: () => CallControl | null): CallControlThread & { closeAll(): void } {
  const opened = (): CallControl => {
    const control = side();
    if (!control) throw unavailable();
    return control;
  };
  // As many as EventStream has places for.
  const followings = new Map<number, Following>();
  const closeFollowing = (id: number): void => {
    followings.get(id)?.close();
    followings.delete(id);
  };
  return {
    operate: (name, asked) => operate(opened(), name, asked),
    report: () => opened().report(),
    recordFailure: () => opened().recordFailure(),
    counts: () => opened().counts(),
    touch: () => side()?.touch(),
    setDrain: (...args) => side()?.setDrain(...args),
    follow: async (id, accountId, lastEventId) => {
      const following = await opened().follow(accountId, lastEventId);
      if (typeof following === 'string') return following;
      followings.set(id, following);
      const { missed, position, suffix } = following;
      return { missed, position, ...(suffix === undefined ? {} : { suffix }) };
    },
    nextEvents: async (id, withinMs) => (await followings.get(id)?.next(withinMs)) ?? null,
    closeFollowing,
    closeAll: () => {
      for (const id of [...followings.keys()]) closeFollowing(id);
    },
  };
}

/** In the thread of the API. Equal questions that arrive while one is asked share the next answer: clients that ask without end cost calls little. */
export function callControlOver(link: Link<CallControlThread>): CallControl {
  const together = new Together();
  let nextId = 0;
  const follow: CallControl['follow'] = async (accountId, lastEventId) => {
    const id = nextId++;
    try {
      const place = await link.call('follow', ANSWER_MS, id, accountId, lastEventId);
      return typeof place === 'string' ? place : followingOver(link, id, place);
    } catch (error) {
      // An answer that comes too late must not keep a place.
      link.tell('closeFollowing', id);
      throw error;
    }
  };
  const ask = <Name extends OperationName>(name: Name, asked: AskedOf<Name>): Promise<AnswerOf<Name>> => {
    // The other side answers with what this operation returns.
    const answer = () => link.call('operate', ANSWER_MS, name, asked) as Promise<AnswerOf<Name>>;
    return operationOf(name).isShared ? together.ask(`${name} ${JSON.stringify(asked)}`, answer) : answer();
  };
  return {
    ...everyOperation(ask),
    report: () => together.ask('report', () => link.call('report', ANSWER_MS)),
    recordFailure: () => together.ask('recordFailure', () => link.call('recordFailure', ANSWER_MS)),
    counts: () => together.ask('counts', () => link.call('counts', ANSWER_MS)),
    touch: () => link.tell('touch'),
    setDrain: (...args) => link.tell('setDrain', ...args),
    follow,
  };
}

function followingOver(link: Link<CallControlThread>, id: number, place: Place): Following {
  let isOver = false;
  return {
    ...place,
    next: async (withinMs) => {
      if (isOver) return null;
      // A thread that is gone ends the stream as one that has too much to say does.
      const events = await link.call('nextEvents', withinMs + ANSWER_MS, id, withinMs).catch(() => null);
      return isOver ? null : events;
    },
    close: () => {
      if (isOver) return;
      isOver = true;
      link.tell('closeFollowing', id);
    },
  };
}
