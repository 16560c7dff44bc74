// What a caller gets before an answer: the sound of who is called, and the reason of a failure.
import { describe, expect, it } from 'vitest';
import type { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { lastDialled } from '../testing/call-bed.ts';
import { OPERATOR, office, TRUNK } from '../testing/office.ts';

const PHONE = { peer: { kind: 'phone', id: 'acme/2' } } as const;

/** An agent who dials a number outside, and the provider's leg. */
async function outside(settings: Parameters<typeof office>[0] = {}) {
  const bed = office(settings);
  bed.telephony.setTrunks([TRUNK]);
  const caller = await bed.call('+441', PHONE);
  return { ...bed, caller, provider: lastDialled(bed.telephony) };
}

describe('early media', () => {
  it('is connected with a caller who is not answered, and the answer connects again', async () => {
    const { caller, provider, rows } = await outside();
    provider.remote.sendEarlyMedia();
    expect(caller.did).toEqual(['ring', 'progress', `connect ${provider.address}`, 'play ringback tone']);
    caller.remote.press('4711');
    provider.remote.answer();
    expect(caller.state).toBe('answered');
    expect(caller.other).toBe(provider);
    caller.remote.hangUp();
    // What is typed to the called side may be a PIN.
    expect(rows[0]?.json).not.toContain('key-pressed');
    expect(JSON.parse(rows[0]?.json ?? '').keys).toEqual([]);
  });

  it('takes the place of the ringback of a caller who is answered', async () => {
    const { telephony, call } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    lastDialled(telephony).remote.sendEarlyMedia();
    expect(caller.did.slice(-4)).toEqual([
      'play ringback tone',
      'stop',
      'connect acme/1',
      'play ringback tone',
    ]);
  });

  it('that ends is followed by a ringback tone of ours, for the caller’s phone has stopped its own', async () => {
    const { telephony, call } = office();
    telephony.register('acme/1');
    telephony.register('acme/2');
    const caller = await call('100');
    caller.remote.press('2');
    const first = lastDialled(telephony);
    first.remote.sendEarlyMedia();
    first.remote.refuse('busy');
    expect(caller.playing).toMatchObject({ sound: { tone: 'ringback' }, loop: true });
    expect(caller.other).toBeNull();
  });
});

describe('a caller who heard early media and is transferred before an answer', () => {
  it('hears a ringback tone of ours: 180 is of no use after 183', async () => {
    const { caller, provider, telephony, switchboard } = await outside();
    telephony.register('acme/1');
    provider.remote.sendEarlyMedia();
    const id = switchboard.operator.liveCallsOf('acme')[0]?.id ?? '';
    expect(switchboard.operator.transferTo('acme', id, 'caller', 'extension||1', OPERATOR)).toBe(
      'transferred',
    );
    expect(caller.playing).toMatchObject({ sound: { tone: 'ringback' }, loop: true });
    lastDialled(telephony).remote.answer();
    expect([caller.state, caller.other]).toEqual(['answered', lastDialled(telephony)]);
  });
});

describe('a call that fails before it was answered', () => {
  it.each([
    ['busy', 17, 486],
    ['declined', 17, 603],
    ['unreachable', 20, 404],
    ['failed', 20, 488],
  ] as const)('%s: the caller gets what the called side said', async (how, cause, status) => {
    const { caller, provider, rows } = await outside();
    provider.remote.refuse(how);
    expect(caller.did).toEqual(['ring', `hang up ${cause} after ${status}`]);
    expect(rows[0]).toMatchObject({ answeredBy: null });
  });

  it('in time gets no status of a phone that said nothing', async () => {
    const { caller, clock } = await outside();
    clock.advance(60_000);
    expect(caller.did).toEqual(['ring', 'hang up 19']);
  });

  it('is announced, or answered, where the account says so', async () => {
    const said = async (failed_calls: 'announce' | 'answer'): Promise<FakeLeg> => {
      const { caller, provider } = await outside({ failed_calls });
      provider.remote.refuse('busy');
      caller.remote.listenToEnd();
      return caller;
    };
    expect((await said('announce')).did).toEqual([
      'ring',
      'progress',
      'play apology',
      'hang up 17 after 486',
    ]);
    expect((await said('answer')).did).toEqual(['ring', 'answer', 'play apology', 'hang up 17 after 486']);
  });

  it('after a transfer is no such call: who was answered hears an apology', async () => {
    const { telephony, call } = office();
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press('1');
    const agent = lastDialled(telephony);
    agent.remote.answer();
    expect(agent.remote.transfer('1006')).toBe(true);
    await Promise.resolve();
    expect(caller.did.at(-1)).toBe('play apology');
  });
});
