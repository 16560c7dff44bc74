// Pauses and signing in and out: by star codes, at the desk, and what departments ring then.
import { describe, expect, it, vi } from 'vitest';
import { AGENT_STATES, agentState } from '../../domain/agent-state.ts';
import { aQueue } from '../../flow/testing/samples.ts';
import { MemoryNotices } from '../../sharing/memory/notices.ts';
import { lastDialled, memoryPresence } from '../testing/call-bed.ts';
import { office } from '../testing/office.ts';
import { Presences } from './presences.ts';

const AGENT = { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' } as const;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const SALES = { numbers: { '600': 'department||sales' } };

describe('the state of an agent', () => {
  const FREE = {
    isTalking: false,
    isRinging: false,
    isBlocked: false,
    isOffDuty: false,
    isPaused: false,
    hasPhone: true,
    isWrappingUp: false,
  };

  it('is the first that is true, in the order of the list', () => {
    const facts = [
      { isTalking: true },
      { isRinging: true },
      { isBlocked: true },
      { isOffDuty: true },
      { isPaused: true },
      { hasPhone: false },
      { isWrappingUp: true },
      {},
    ];
    let all = FREE;
    for (const [index, fact] of facts.entries()) {
      const later = Object.assign({}, FREE, ...facts.slice(index));
      expect([agentState({ ...FREE, ...fact }), agentState(later)]).toEqual([
        AGENT_STATES[index],
        AGENT_STATES[index],
      ]);
      all = { ...all, ...fact };
    }
    expect(agentState(all)).toBe('talking');
  });

  it('follows ringing, talking and wrap-up of the calls, then the pause', async () => {
    const { switchboard, telephony, call, clock, presences } = office(
      {},
      {
        sales: { queue: aQueue({ wrapupSeconds: 30 }), agents: ['extension||1'] },
        ...SALES,
      },
    );
    const state = () => switchboard.environment.desk.stateOf('acme/1');
    expect([state(), switchboard.environment.desk.stateOf('acme/none')]).toEqual(['unreachable', null]);
    telephony.register('acme/1');
    expect([state(), switchboard.environment.desk.stateOf('acme/5')]).toEqual(['free', 'blocked']);
    const caller = await call('600');
    const phone = lastDialled(telephony);
    expect(state()).toBe('ringing');
    phone.remote.answer();
    expect(state()).toBe('talking');
    await presences.change('acme', '1', { type: 'pause', reason: 'lunch' });
    expect(state()).toBe('talking');
    await presences.change('acme', '1', { type: 'resume' });
    caller.remote.hangUp();
    expect(state()).toBe('wrap_up');
    clock.advance(30_000);
    expect(state()).toBe('free');
    await presences.change('acme', '1', { type: 'pause', reason: 'lunch' });
    expect(switchboard.environment.desk.viewOf('acme', ['1'])).toMatchObject([
      { eid: '1', state: 'paused', paused: { reason: 'lunch' }, signedOut: [] },
    ]);
    telephony.register('acme/2');
    const dialling = await call('1002', AGENT);
    expect(state()).toBe('talking');
    dialling.remote.hangUp();
  });
});

describe('an agent who is paused by *46', () => {
  it('is rung by no department, but by those who dial the number, until *47', async () => {
    const { call, telephony, switchboard, rows } = office({}, SALES);
    for (const id of ['acme/1', 'acme/2']) telephony.register(id);
    const code = await call('*467', AGENT);
    expect(code.did).toEqual(['answer', 'play agent-paused']);
    code.remote.listenToEnd();
    await settled();
    expect(switchboard.environment.desk.viewOf('acme', ['1'])[0]?.paused?.reason).toBe('7');
    const caller = await call('600');
    expect(lastDialled(telephony).address).toContain('2');
    caller.remote.hangUp();
    await call('1001', { peer: { kind: 'phone', id: 'acme/3' } });
    expect(lastDialled(telephony).address).toContain('1');
    await settled();
    const trail = JSON.parse(rows.find(({ dialled }) => dialled === '600')?.json ?? '').trail as {
      code: string;
      text: string;
    }[];
    expect(trail.find(({ code: each }) => each === 'agent-paused')?.text).toBe(
      '“Agent 1001” is paused, or signed out of “Sales”: the call is not offered.',
    );
    const resumed = await call('*47', AGENT);
    expect(resumed.did).toEqual(['answer', 'play agent-resumed']);
    expect(switchboard.environment.desk.isPresent('acme/1')).toBe(true);
  });

  it('names one of the reasons of the account by its number, or none', async () => {
    const { call, switchboard } = office({ pause_reasons: ['Lunch', 'Meeting'] });
    const reasonAfter = async (dialled: string) => {
      const { did, remote } = await call(dialled, AGENT);
      remote.hangUp();
      await settled();
      return [did[1], switchboard.environment.desk.viewOf('acme', ['1'])[0]?.paused?.reason];
    };
    expect(await reasonAfter('*463')).toEqual(['play star-code-failed', undefined]);
    expect(await reasonAfter('*462')).toEqual(['play agent-paused', 'Meeting']);
    expect(await reasonAfter('*460')).toEqual(['play star-code-failed', 'Meeting']);
    expect(await reasonAfter('*46')).toEqual(['play agent-paused', '']);
  });

  it('is not waited for in a queue', async () => {
    const { call, telephony, presences, rows } = office(
      {},
      {
        sales: { queue: aQueue(), agents: ['extension||1'] },
        ...SALES,
      },
    );
    telephony.register('acme/1');
    await presences.change('acme', '1', { type: 'pause', reason: '' });
    (await call('600')).remote.hangUp();
    await presences.change('acme', '1', { type: 'resume' });
    const waiting = await call('600');
    expect(lastDialled(telephony).state).not.toBe('ended');
    waiting.remote.hangUp();
    await settled();
    expect(rows.map(({ json }) => json.includes('queue-empty'))).toContain(true);
  });
});

describe('signing out by *44', () => {
  it('concerns the department whose number follows, or all, until *45', async () => {
    const { call, switchboard, rows } = office({}, SALES);
    const signedIn = () => switchboard.environment.desk.isSignedIn('acme/1', 'acme/department||sales');
    for (const [code, expected, sound] of [
      ['*44600', false, 'signed-out'],
      ['*45600', true, 'signed-in'],
      ['*44', false, 'signed-out'],
      ['*45', true, 'signed-in'],
    ] as const) {
      const leg = await call(code, AGENT);
      expect([leg.did.at(-1), signedIn()]).toEqual([`play ${sound}`, expected]);
      leg.remote.hangUp();
    }
    const wrong = await call('*44100', AGENT);
    expect(wrong.did.at(-1)).toBe('play star-code-failed');
    wrong.remote.hangUp();
    await settled();
    expect(rows.map(({ endCode }) => endCode)).toEqual([
      ...Array.from({ length: 4 }, () => 'star-code-done'),
      'star-code-failed',
    ]);
    expect(JSON.parse(rows[0]?.json ?? '').trail[0].text).toBe('Star code *44600. Signed out of Sales.');
  });

  it('leaves agents who are in no department alone', async () => {
    const { call } = office();
    const leg = await call('*44', { peer: { kind: 'phone', id: 'acme/3' } });
    expect(leg.did.at(-1)).toBe('play star-code-failed');
  });
});

describe('presence at two nodes', () => {
  it('is known to both at once, after a restart too, and each hears of what changed', async () => {
    const storage = memoryPresence();
    const notices = new MemoryNotices(() => undefined);
    const open = async (node: string) => {
      const presences = new Presences({
        storage,
        sharing: { node, notices },
        epochMs: () => 7,
        failed: (error) => expect(error).toBeNull(),
      });
      const heard: string[] = [];
      presences.changed = (agent) => void heard.push(agent);
      await presences.open();
      return { presences, heard };
    };
    const [a, b] = [await open('a'), await open('b')];
    await a.presences.change('acme', '1', { type: 'pause', reason: 'lunch' });
    await vi.waitFor(() => expect(b.presences.isPaused('acme/1')).toBe(true));
    await b.presences.change('acme', '1', { type: 'sign-out', departments: ['sales'] });
    await vi.waitFor(() => expect(a.presences.of('acme/1')?.signedOut).toEqual(['sales']));
    expect((await open('c')).presences.of('acme/1')).toMatchObject({ reason: 'lunch', signedOut: ['sales'] });
    await a.presences.change('acme', '1', { type: 'resume' });
    await a.presences.change('acme', '1', { type: 'sign-in', departments: ['sales'] });
    await vi.waitFor(() => expect(b.presences.of('acme/1')).toBeUndefined());
    expect([a.heard.length, b.heard.length]).toEqual([4, 4]);
  });

  it('is not changed where it cannot be stored, and the phone says so', async () => {
    const { call, presences, switchboard } = office();
    vi.spyOn(presences, 'change').mockRejectedValue(new Error('down'));
    const leg = await call('*46', AGENT);
    expect([leg.did.at(-1), switchboard.environment.desk.stateOf('acme/1')]).toEqual([
      'play star-code-failed',
      'talking',
    ]);
    leg.remote.hangUp();
    expect(switchboard.environment.desk.stateOf('acme/1')).toBe('unreachable');
  });
});

describe('agents of a higher level', () => {
  it('are rung when those of the lower ones did not answer, together or one after the other', async () => {
    for (const strategy of ['simultaneous', 'in_order'] as const) {
      const { call, telephony, clock } = office(
        {},
        {
          sales: {
            strategy,
            ringSeconds: 25,
            agents: ['extension||1', 'extension||2', 'extension||4'],
            levels: { 'extension||1': 2, 'extension||4': 2 },
          },
          ...SALES,
        },
      );
      for (const id of ['acme/1', 'acme/2', 'acme/4']) telephony.register(id);
      await call('600');
      expect(telephony.dialled.map(({ address }) => address)).toHaveLength(1);
      clock.advance(25_000);
      expect(telephony.dialled).toHaveLength(strategy === 'simultaneous' ? 3 : 2);
    }
  });
});
