import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { AgentState } from '../../domain/agent-state.ts';
import type { Watch } from '../../telephony/ports/watching.ts';
import { accountRoutes, agentRecord, lastDialled } from '../testing/call-bed.ts';
import { office } from '../testing/office.ts';
import { AgentDialogs } from './agent-dialogs.ts';
import { Availabilities } from './availabilities.ts';
import { BusyLamps } from './busy-lamps.ts';

const NO_CALLS = new AgentDialogs(() => []);
const NONE_WATCHED = {
  watch: () => ({ of: () => ({ availability: 'free', note: '' }) as const, close: () => undefined }),
  close: () => undefined,
} as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function opened(watch: unknown): Watch {
  if (typeof watch !== 'object' || watch === null || 'status' in watch)
    throw new Error(`refused: ${JSON.stringify(watch)}`);
  return watch as Watch;
}

describe('message lamps', () => {
  const box = (id: string) => ({ failover_destination: `voicemail||${id}` });
  const routes = (failover: Partial<ReturnType<typeof box>> = box('own')) =>
    accountRoutes({ numbers: new Map([['200', 'voicemail||shared']]) }, [
      agentRecord('1', '1001', failover),
      agentRecord('2', '1002', box('other')),
      agentRecord('3', '1003', { failover_destination: 'ivr||main' }),
    ]);

  function lamps() {
    const state = { account: routes() };
    const open: string[] = [];
    const all = new BusyLamps({
      routing: { account: (id) => (id === 'acme' ? state.account : undefined) },
      mailboxes: {
        watch: (accountId, id) => {
          open.push(`${accountId} ${id}`);
          return {
            counts: () => ({ unheard: id.length, heard: 0 }),
            close: () => void open.splice(open.indexOf(`${accountId} ${id}`), 1),
          };
        },
        close: () => undefined,
      },
      dialogs: NO_CALLS,
      availabilities: NONE_WATCHED,
    });
    const watch = (phone: string, watched: string, changed = vi.fn()) =>
      all.watch(phone, 'message-summary', watched, changed);
    return { all, state, open, watch };
  }

  it("are those of the box that the agent's unanswered calls go to, and of a shared box by its number", () => {
    const { watch, open } = lamps();
    expect(opened(watch('acme/1', '1001')).state()).toEqual({
      event: 'message-summary',
      unheard: 3,
      heard: 0,
    });
    opened(watch('acme/1', '200'));
    expect(open).toEqual(['acme own', 'acme shared']);
  });

  it('are never those of a colleague, of another account, or of no box', () => {
    const { watch, open } = lamps();
    expect(watch('acme/1', '1002')).toEqual({ status: 404 });
    expect(watch('acme/3', '1003')).toEqual({ status: 404 });
    expect(watch('acme/1', '999')).toEqual({ status: 404 });
    expect(watch('other/1', '1001')).toEqual({ status: 403 });
    expect(watch('acme/9', '1001')).toEqual({ status: 403 });
    expect(open).toEqual([]);
  });

  it('follow the agent to another box, and go out without one', () => {
    const { all, watch, state, open } = lamps();
    const changed = vi.fn();
    const lamp = opened(watch('acme/1', '1001', changed));
    all.routesChanged();
    expect(changed).not.toHaveBeenCalled();
    state.account = routes(box('longer'));
    all.routesChanged();
    expect([lamp.state(), changed.mock.calls.length]).toEqual([
      { event: 'message-summary', unheard: 6, heard: 0 },
      1,
    ]);
    state.account = routes({});
    all.routesChanged();
    expect(lamp.state()).toEqual({ event: 'message-summary', unheard: 0, heard: 0 });
    expect([open, changed.mock.calls.length]).toEqual([[], 2]);
    lamp.close();
    state.account = routes();
    all.routesChanged();
    expect(open).toEqual([]);
  });
});

describe('the lamp of a colleague', () => {
  function bed() {
    const at = office();
    const account = accountRoutes({}, [agentRecord('1', '1001'), agentRecord('2', '1002')]);
    const lamps = new BusyLamps({
      routing: { account: () => account },
      mailboxes: { watch: () => ({ counts: () => null, close: () => undefined }), close: () => undefined },
      dialogs: at.switchboard.dialogs,
      availabilities: NONE_WATCHED,
    });
    const changed = vi.fn();
    const lamp = opened(lamps.watch('acme/2', 'dialog', '1001', changed));
    const dialogs = () => {
      const state = lamp.state();
      return state?.event === 'dialog' ? state.dialogs : [];
    };
    const shown = () => dialogs().map(({ state, direction, remote }) => `${state} ${direction} ${remote}`);
    return { ...at, lamp, changed, shown };
  }

  it('shows a call to it: trying, ringing, talking, over', async () => {
    const { telephony, call, shown, changed } = bed();
    telephony.register('acme/1');
    expect(shown()).toEqual([]);
    const caller = await call('1001', { peer: { kind: 'phone', id: 'acme/3' }, caller: '1003' });
    await turn();
    expect(shown()).toEqual(['trying recipient 1003']);
    lastDialled(telephony).remote.ring();
    await turn();
    expect(shown()).toEqual(['early recipient 1003']);
    lastDialled(telephony).remote.answer();
    await turn();
    expect(shown()).toEqual(['confirmed recipient 1003']);
    const before = changed.mock.calls.length;
    expect(before).toBeGreaterThanOrEqual(3);
    caller.remote.hangUp();
    await turn();
    expect(shown()).toEqual([]);
    expect(changed.mock.calls.length).toBeGreaterThan(before);
  });

  it('shows a call of it, and one that is given up', async () => {
    const { call, telephony, shown } = bed();
    telephony.register('acme/3');
    const own = await call('1003', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    await turn();
    expect(shown()).toEqual(['early initiator 1003']);
    own.remote.hangUp();
    await turn();
    expect(shown()).toEqual([]);
  });

  it('tells nothing after it is closed, and of no agent who is not watched', async () => {
    const { call, lamp, changed, telephony } = bed();
    telephony.register('acme/3');
    await call('1003', { peer: { kind: 'phone', id: 'acme/4' }, caller: '1004' });
    await turn();
    expect(changed).not.toHaveBeenCalled();
    lamp.close();
    await call('1003', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    await turn();
    expect(changed).not.toHaveBeenCalled();
  });
});

describe('the lamp of a colleague of several nodes', () => {
  it('shows within a second that a call of another node has the agent, and asks nothing without lamps', async () => {
    const clock = new VirtualClock();
    const dialogs = new AgentDialogs(() => []);
    const busy = new Set<string>();
    let asked = 0;
    dialogs.followNodes(clock, async () => {
      asked += 1;
      return busy;
    });
    const changed = vi.fn();
    const lamp = dialogs.watch('acme/1', changed);
    const second = async (): Promise<void> => {
      clock.advance(1_000);
      await turn();
    };
    await second();
    expect([lamp.dialogs(), changed.mock.calls.length]).toEqual([[], 0]);
    busy.add('acme/1');
    await second();
    expect(lamp.dialogs()).toMatchObject([{ state: 'confirmed', remote: null }]);
    busy.clear();
    await second();
    expect([lamp.dialogs(), changed.mock.calls.length]).toEqual([[], 2]);
    expect(asked).toBe(3);
    lamp.close();
    await second();
    const before = asked;
    await second();
    expect([asked - before, clock.running]).toEqual([0, 0]);
  });
});

describe('the presence of a colleague', () => {
  it('is away, free or busy, by calls at once and by the rest within two seconds', async () => {
    const clock = new VirtualClock();
    const { switchboard, call, telephony } = office();
    let state: AgentState = 'unreachable';
    const availabilities = new Availabilities(clock, switchboard.dialogs, { stateOf: () => state });
    const changed = vi.fn();
    const seen = availabilities.watch('acme/1', changed);
    expect(seen.of()).toEqual({ availability: 'away', note: '' });
    state = 'paused';
    clock.advance(2_000);
    expect(seen.of()).toEqual({ availability: 'away', note: 'Paused' });
    state = 'free';
    clock.advance(2_000);
    expect([seen.of().availability, changed.mock.calls.length]).toEqual(['free', 2]);
    telephony.register('acme/2');
    const own = await call('1002', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    await turn();
    expect(seen.of().availability).toBe('busy');
    own.remote.hangUp();
    await turn();
    expect([seen.of().availability, changed.mock.calls.length]).toEqual(['free', 4]);
    seen.close();
    clock.advance(2_000);
    expect(clock.running).toBe(0);
  });
});
