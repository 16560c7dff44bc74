// The telephone side, asked by the thread of the API: what its own thread offers, and the port CallControl made of that.
import type { CallControl, Followed, Following, FollowRefused } from '../../calls/control/call-control.ts';
import { TelephonesUnavailable } from '../../calls/control/call-control.ts';
import type { Link } from './link.ts';
import { Together } from './together.ts';

const ANSWER_MS = 5_000;

/** What is plain data of it. */
type Place = Pick<Following, 'missed' | 'position' | 'suffix'>;

/** CallControl as plain data: a Following has an id, which the API chooses. */
export interface CallControlThread extends Omit<CallControl, 'follow'> {
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
    callsOf: (...args) => opened().callsOf(...args),
    hangUp: (...args) => opened().hangUp(...args),
    transfer: (...args) => opened().transfer(...args),
    consult: (...args) => opened().consult(...args),
    listenIn: (...args) => opened().listenIn(...args),
    addParty: (...args) => opened().addParty(...args),
    clickToCall: (...args) => opened().clickToCall(...args),
    placeCall: (...args) => opened().placeCall(...args),
    queueOf: (...args) => opened().queueOf(...args),
    roomOf: (...args) => opened().roomOf(...args),
    changeRoom: (...args) => opened().changeRoom(...args),
    agentsOf: (...args) => opened().agentsOf(...args),
    changePresence: (...args) => opened().changePresence(...args),
    endWrapUp: (...args) => opened().endWrapUp(...args),
    phonesOf: (...args) => opened().phonesOf(...args),
    trunkState: (...args) => opened().trunkState(...args),
    liveOf: (...args) => opened().liveOf(...args),
    report: () => opened().report(),
    recordFailure: () => opened().recordFailure(),
    counts: () => opened().counts(),
    touch: () => side()?.touch(),
    freshRoutes: () => opened().freshRoutes(),
    drain: () => side()?.drain(),
    setDrain: (...args) => side()?.setDrain(...args),
    hangUpAll: () => side()?.hangUpAll(),
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
  return {
    callsOf: (accountId) =>
      together.ask(`calls ${accountId}`, () => link.call('callsOf', ANSWER_MS, accountId)),
    hangUp: (...args) => link.call('hangUp', ANSWER_MS, ...args),
    transfer: (...args) => link.call('transfer', ANSWER_MS, ...args),
    consult: (...args) => link.call('consult', ANSWER_MS, ...args),
    listenIn: (...args) => link.call('listenIn', ANSWER_MS, ...args),
    addParty: (...args) => link.call('addParty', ANSWER_MS, ...args),
    clickToCall: (...args) => link.call('clickToCall', ANSWER_MS, ...args),
    placeCall: (...args) => link.call('placeCall', ANSWER_MS, ...args),
    queueOf: (...args) =>
      together.ask(`queue ${JSON.stringify(args)}`, () => link.call('queueOf', ANSWER_MS, ...args)),
    roomOf: (...args) =>
      together.ask(`room ${JSON.stringify(args)}`, () => link.call('roomOf', ANSWER_MS, ...args)),
    changeRoom: (...args) => link.call('changeRoom', ANSWER_MS, ...args),
    agentsOf: (...args) =>
      together.ask(`agents ${JSON.stringify(args)}`, () => link.call('agentsOf', ANSWER_MS, ...args)),
    changePresence: (...args) => link.call('changePresence', ANSWER_MS, ...args),
    endWrapUp: (...args) => link.call('endWrapUp', ANSWER_MS, ...args),
    phonesOf: (...args) =>
      together.ask(`phones ${JSON.stringify(args)}`, () => link.call('phonesOf', ANSWER_MS, ...args)),
    trunkState: (...args) =>
      together.ask(`trunk ${JSON.stringify(args)}`, () => link.call('trunkState', ANSWER_MS, ...args)),
    liveOf: (accountId) => together.ask(`live ${accountId}`, () => link.call('liveOf', ANSWER_MS, accountId)),
    report: () => together.ask('report', () => link.call('report', ANSWER_MS)),
    recordFailure: () => together.ask('recordFailure', () => link.call('recordFailure', ANSWER_MS)),
    counts: () => together.ask('counts', () => link.call('counts', ANSWER_MS)),
    touch: () => link.tell('touch'),
    freshRoutes: () => link.call('freshRoutes', ANSWER_MS),
    drain: () => link.tell('drain'),
    setDrain: (...args) => link.tell('setDrain', ...args),
    hangUpAll: () => link.tell('hangUpAll'),
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
