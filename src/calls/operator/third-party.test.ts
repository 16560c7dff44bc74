// Three-way calls: a third party joins a conversation by request.
import { describe, expect, it, vi } from 'vitest';
import { limitOf } from '../call-caps.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { office, TRUNK } from '../testing/office.ts';

async function conversation(settings = {}) {
  const bed = office(settings);
  const { call, telephony, switchboard } = bed;
  for (const id of ['acme/1', 'acme/2']) telephony.register(id);
  telephony.setTrunks([TRUNK]);
  const caller = await call('100');
  const { id = '' } = switchboard.operator.liveCallsOf('acme')[0] ?? {};
  const add = (number: string, call = id) => switchboard.operator.addParty('acme', call, number);
  const early = add('+441111');
  caller.remote.press('1');
  const agent = lastDialled(telephony);
  agent.remote.answer();
  return { ...bed, caller, agent, add, early };
}

describe('a three-way call', () => {
  it('joins a number outside to both sides, until it leaves or the conversation ends', async () => {
    const { add, early, agent, caller, telephony, rows } = await conversation();
    expect(early).toBe('not-connected');
    expect([add('+441111', 'none'), add('+331111'), add('nonsense')]).toEqual([
      'unknown',
      'number-not-allowed',
      'number-not-allowed',
    ]);
    expect(add('+441111')).toBe('rings');
    const third = lastDialled(telephony);
    expect(third.address).toBe('+441111 by acme/t1');
    third.remote.answer();
    expect(third.listening).toEqual({ target: agent, mode: 'barge' });
    third.remote.hangUp();
    expect(add('+442222')).toBe('rings');
    const fourth = lastDialled(telephony);
    fourth.remote.answer();
    caller.remote.hangUp();
    expect(fourth.state).toBe('ended');
    expect(telephony.legs).toBe(0);
    for (const text of ['+441111 joined', '+441111 left', '+442222 joined'])
      expect(rows[0]?.json).toContain(text);
  });

  it('rings a colleague by intercom number, and no longer than the account says', async () => {
    const { add, clock, telephony, agent } = await conversation({ ring_seconds: 20 });
    expect(add('1002')).toBe('rings');
    lastDialled(telephony).remote.answer();
    expect(lastDialled(telephony).listening).toEqual({ target: agent, mode: 'barge' });
    expect([add('1001'), add('1006')]).toEqual(['agent-busy', 'agent-unreachable']);
    expect(add('+441111')).toBe('rings');
    const late = lastDialled(telephony);
    clock.advance(20_000);
    expect(late.state).toBe('ended');
  });

  it('counts as an outbound call of the account', async () => {
    const { add, telephony, agent } = await conversation({ max_outbound_calls: 1 });
    expect([add('+441111'), add('+442222')]).toEqual(['rings', 'outbound-full']);
    lastDialled(telephony).remote.refuse('busy');
    expect(add('+442222')).toBe('rings');
    agent.remote.hangUp();
    expect(telephony.legs).toBe(0);
  });

  it.each([
    ['+441111', 'max_legs'],
    ['1002', 'max_calls_per_agent'],
  ] as const)('with %s is refused with the limit that is reached: %s', async (number, limit) => {
    const { add, telephony } = await conversation();
    const dial = vi.spyOn(telephony, 'dial').mockImplementation((_target, { quotas = [], full }) => {
      const reached = quotas.find((quota) => limitOf(quota) === limit);
      if (reached) full?.(reached);
      return null;
    });
    expect(add(number)).toBe(limit);
    dial.mockRestore();
    expect(add(number)).toBe('rings');
  });

  it('does not use up an outbound call where dialling fails', async () => {
    const { add, telephony } = await conversation({ max_outbound_calls: 1 });
    const dial = vi.spyOn(telephony, 'dial').mockImplementationOnce(() => {
      throw new Error('no socket');
    });
    expect(() => add('+441111')).toThrow('no socket');
    dial.mockRestore();
    expect(add('+441111')).toBe('rings');
  });
});
