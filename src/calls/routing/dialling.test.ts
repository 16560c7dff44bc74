// Who may reach what, and what is shown there, by whole calls on the test bed.
import { describe, expect, it } from 'vitest';
import { CONTACT } from '../../../test/support/payload.ts';
import { Numbering } from '../../domain/numbering.ts';
import type { CallerIdRule } from '../../kinds/caller-id-rule.ts';
import { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { accountRoutes, lastDialled } from '../testing/call-bed.ts';
import { office, TRUNK } from '../testing/office.ts';
import { ContactBook } from './contact-book.ts';
import { entryOf, priorityOf } from './dialling.ts';

describe('the priority of a number', () => {
  it('is that of the number which leads there, whatever another form of it has', () => {
    const routes = accountRoutes({
      numbering: new Numbering({ country: 'DE', area_code: '' }),
      numbers: new Map([
        ['030123456', 'department||a'],
        ['4930123456', 'department||vip'],
      ]),
      priorities: new Map([['4930123456', 50]]),
    });
    const of = (dialled: string): number => priorityOf(routes, { dialled, caller: '+4681234567' });
    expect([entryOf(routes, '030123456'), of('030123456')]).toEqual(['department||a', 0]);
    const vip = ['+4930123456', '004930123456'].map(of);
    expect(vip).toEqual([50, 50]);
  });
});

describe('the priority of a contact', async () => {
  const contacts = await ContactBook.of(
    [
      {
        id: 'c1',
        version: 1,
        createdAtMs: 0,
        updatedAtMs: 0,
        data: { ...CONTACT, numbers: ['+46701'], priority: 40 },
      },
    ],
    Numbering.NONE,
  );
  const routes = accountRoutes({
    numbers: new Map([['100', 'department||a']]),
    priorities: new Map([['100', 20]]),
    contacts,
  });
  const of = (dialled: string, caller: string | null) => priorityOf(routes, { dialled, caller });

  it('counts where it is higher than that of the dialled number', () => {
    expect([of('100', '+46701'), of('101', '+46701'), of('100', '+46702'), of('101', null)]).toEqual([
      40, 40, 20, 0,
    ]);
  });

  it('does not count for a number that the network says is forged', () => {
    const identity = { verstat: 'failed', attestation: null, diversions: [], history: [] } as const;
    expect(priorityOf(routes, { dialled: '100', caller: '+46701', identity })).toBe(20);
  });
});

describe('several accounts with one provider', () => {
  it('a call belongs to the trunk whose account has the number, or else to the first', () => {
    const { switchboard } = office();
    expect(switchboard.trunkOf(['other/t', 'acme/t1'], ['100', ''])).toBe('acme/t1');
    expect(switchboard.trunkOf(['other/t', 'acme/t1'], ['999', '+100'])).toBe('acme/t1');
    expect(switchboard.trunkOf(['other/t', 'acme/t1'], ['999', ''])).toBe('other/t');
  });
});

describe('who may call whom', () => {
  it('unknown callers on this machine reach published numbers only', async () => {
    const { telephony } = office();
    for (const dialled of ['1001', '+441234', '999', '', 'main']) {
      expect(await telephony.call(dialled)).toEqual({ status: 404 });
    }
    expect(await office({ loopback_calls: false }).telephony.call('100')).toEqual({ status: 404 });
  });

  it('a trunk reaches published numbers, and no agent or outside number', async () => {
    const { telephony, call } = office();
    const peer = { kind: 'trunk', id: 'acme/t1' } as const;
    expect((await call('100', { peer })).state).toBe('answered');
    expect(await telephony.call('1001', { peer })).toEqual({ status: 404 });
    expect(await telephony.call('+441234', { peer })).toEqual({ status: 404 });
    expect(await telephony.call('100', { peer: { kind: 'trunk', id: 'acme/gone' } })).toEqual({
      status: 403,
    });
    // A provider that we registered at dials our user name; the number is in To.
    expect((await call('our-user-name', { peer, toUser: '+100' })).state).toBe('answered');
  });

  it('another header of a call reaches nothing more: To and P-Called-Party-ID are no way out (T1)', async () => {
    const { telephony } = office();
    telephony.setTrunks([TRUNK]);
    telephony.register('acme/2');
    for (const peer of [{ kind: 'trunk', id: 'acme/t1' }, { kind: 'local' }] as const)
      for (const toUser of ['+447700900123', '00447700900123', '1002', '*65', 'main', '0'])
        expect(await telephony.call('our-user-name', { peer, toUser })).toEqual({ status: 404 });
    // A phone that may not dial a number must not get there by To.
    const phone = { kind: 'phone', id: 'acme/1' } as const;
    for (const toUser of ['+447700900123', '1002', '100', '*65'])
      expect(await telephony.call('no-such', { peer: phone, caller: '1001', toUser })).toHaveProperty(
        'status',
      );
  });

  it('an agent reaches colleagues, numbers, and outside numbers that the trunk routes for agents', async () => {
    const { telephony, call, rows } = office();
    telephony.register('acme/2');
    telephony.setTrunks([TRUNK]);
    const peer = { kind: 'phone', id: 'acme/1' } as const;
    const colleague = await call('1002', { peer, caller: '1001' });
    expect(colleague.did).toEqual(['ring']);
    lastDialled(telephony).remote.answer();
    expect(colleague.did).toEqual(['ring', 'answer', 'connect acme/2']);
    colleague.remote.hangUp();
    await call('+447700900123', { peer, caller: '1001' });
    expect(lastDialled(telephony).address).toBe('+447700900123 by acme/t1');
    expect(await telephony.call('+19005551234', { peer })).toEqual({ status: 403 });
    expect(rows[0]).toMatchObject({ direction: 'internal', caller: '1001' });
  });

  it('a trunk with inbound numbers takes calls for these alone', async () => {
    const peer = { kind: 'trunk', id: 'acme/t1' } as const;
    const status = async (inbound_numbers: string[]) => {
      const leg = await office({}, { trunk: { inbound_numbers } }).telephony.call('100', { peer });
      return leg instanceof FakeLeg ? 200 : leg.status;
    };
    expect(await status(['+200'])).toBe(404);
    expect(await status(['+200', '+100'])).toBe(200);
    expect(await status([])).toBe(200);
  });

  it('a trunk’s dialled number counts, and the number in To only where that leads nowhere', async () => {
    const { telephony } = office();
    telephony.setTrunks([TRUNK]);
    const trunk = { kind: 'trunk', id: 'acme/t1' } as const;
    const reached = async (dialled: string, toUser: string) =>
      (await telephony.call(dialled, { peer: trunk, toUser })) instanceof FakeLeg;
    expect(await reached('100', 'user')).toBe(true);
    expect(await reached('user', '100')).toBe(true);
    expect(await reached('user', 'user')).toBe(false);
    expect(await telephony.call('100', { peer: { kind: 'trunk', id: 'acme/gone' } })).toEqual({
      status: 403,
    });
  });

  it('a trunk that agents may not use carries follow-me calls, and none that an agent dials (threat T1)', async () => {
    const { telephony, switchboard, call } = office({}, { trunk: { agents_may_call: false } });
    telephony.setTrunks([TRUNK]);
    telephony.register('acme/4');
    const peer = { kind: 'phone', id: 'acme/1' } as const;
    expect(await telephony.call('+447700900123', { peer })).toEqual({ status: 403 });
    expect(switchboard.operator.clickToCall('acme', { id: 'x', eid: '4', number: '+447700900123' })).toEqual({
      refused: 'number-not-allowed',
    });
    const caller = await call('100');
    caller.remote.press('3');
    expect(lastDialled(telephony).address).toBe('+441234 by acme/t1');
    expect(switchboard.operator.clickToCall('acme', { id: 'y', eid: '7', number: '1002' })).toBeNull();
    expect(lastDialled(telephony).address).toBe('+447777 by acme/t1');
  });

  it('an agent who dials what is no number gets 404', async () => {
    const { telephony } = office();
    const peer = { kind: 'phone', id: 'acme/1' } as const;
    expect(await telephony.call('boss', { peer })).toEqual({ status: 404 });
  });

  it('an agent who is calling is busy for others', async () => {
    const { telephony, call, agentStates } = office();
    telephony.register('acme/1');
    telephony.register('acme/2');
    const own = await call('1002', { peer: { kind: 'phone', id: 'acme/1' } });
    expect(agentStates.isBusy('acme/1')).toBe(true);
    own.remote.hangUp();
    expect(agentStates.isBusy('acme/1')).toBe(false);
  });
});

describe('the block list', () => {
  it('refuses a caller before the answer, leaves a record, and nothing else', async () => {
    const { telephony, rows, switchboard, callEvents } = office(
      {},
      { blocks: [{ number: '+49900*', reason: 'spam' }] },
    );
    const published: string[] = [];
    callEvents.subscribe(({ type }) => published.push(type));
    expect(await telephony.call('100', { caller: '+499001234' })).toEqual({ status: 603 });
    expect(rows).toMatchObject([
      { caller: '+499001234', dialled: '100', endCode: 'caller-blocked', cause: 21, direction: 'inbound' },
    ]);
    expect(JSON.parse(rows[0]?.json ?? '{}').trail).toMatchObject([
      { text: 'The block list has +49900* (spam): the call is refused.' },
    ]);
    expect([switchboard.count, telephony.legs, published]).toEqual([0, 0, ['call.ended']]);
    expect(await telephony.call('100', { caller: '+49901234' })).toBeInstanceOf(FakeLeg);
  });

  it('applies to trunks and withheld numbers, but never to an agent’s own phone', async () => {
    const blocks = [{ number: null, anonymous: true }, { number: '1001' }, { number: '+15550100' }];
    const { telephony } = office({}, { blocks });
    const trunk = { kind: 'trunk', id: 'acme/t1' } as const;
    expect(await telephony.call('100', { caller: null })).toEqual({ status: 603 });
    expect(await telephony.call('100', { peer: trunk })).toEqual({ status: 603 });
    expect(await telephony.call('100', { peer: trunk, caller: null })).toEqual({ status: 603 });
    const own = { kind: 'phone', id: 'acme/1' } as const;
    expect(await telephony.call('100', { peer: own, caller: '1001' })).toBeInstanceOf(FakeLeg);
  });

  it('applies to one dialled number only where it says so, also when the provider puts it into To', async () => {
    const { telephony } = office(
      {},
      {
        blocks: [
          { number: '4930', dialled: '+100' },
          { number: '4931', dialled: '200' },
        ],
      },
    );
    const peer = { kind: 'trunk', id: 'acme/t1' } as const;
    expect(await telephony.call('100', { caller: '+4930' })).toEqual({ status: 603 });
    expect(await telephony.call('our-user-name', { toUser: '100', peer, caller: '4930' })).toEqual({
      status: 603,
    });
    expect(await telephony.call('100', { caller: '+4931' })).toBeInstanceOf(FakeLeg);
  });
});

describe('forms of a number (T44)', () => {
  const settings = { country: 'DE', area_code: '030' };
  const peer = { kind: 'trunk', id: 'acme/t1' } as const;

  it('a blocked number is refused in each, and recorded without parameters', async () => {
    const { telephony, rows } = office(settings, { blocks: [{ number: '0301234567' }] });
    for (const caller of [
      '+49301234567;verstat=TN-Validation-Passed',
      '0049301234567',
      '０３０１２３４５６７',
    ])
      expect(await telephony.call('100', { peer, caller })).toEqual({ status: 603 });
    expect(rows.map(({ caller }) => caller)).toEqual(['+49301234567', '0049301234567', '0301234567']);
  });

  it('a word in place of a number is a withheld number', async () => {
    const { telephony, rows } = office({}, { blocks: [{ number: null, anonymous: true }] });
    for (const caller of ['Anonymous', 'unknown', 'Restricted', 'anonymous@anonymous.invalid'])
      expect(await telephony.call('100', { caller })).toEqual({ status: 603 });
    expect(rows.map(({ caller }) => caller)).toEqual([null, null, null, null]);
    expect(await telephony.call('100', { caller: 'alice' })).toBeInstanceOf(FakeLeg);
  });

  it('a national prefix opens no number abroad', async () => {
    const { telephony } = office(settings);
    const own = { kind: 'phone', id: 'acme/1' } as const;
    expect(await telephony.call('0019005550123', { peer: own })).toEqual({ status: 403 });
  });

  it('a caller-id rule fits a number in each', async () => {
    const { telephony, call } = office({ country: 'GB' }, { rules: [{ prefix: '020', show: '+442071' }] });
    telephony.setTrunks([TRUNK]);
    await call('+442012345678', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    expect(telephony.targets.at(-1)).toMatchObject({ shown: '+442071' });
  });
});

describe('caller-id rules', () => {
  const followed = async (rules: readonly Partial<CallerIdRule>[], caller: string | null = '+15550100') => {
    const { telephony, call } = office({}, { rules });
    telephony.setTrunks([TRUNK]);
    const leg = await call('100', { caller });
    leg.remote.press('3');
    return telephony.targets.at(-1);
  };

  it('decide what a follow-me call shows', async () => {
    const target = { kind: 'trunk', id: 'acme/t1', number: '+441234' };
    expect(await followed([])).toEqual(target);
    expect(await followed([{ show: 'caller' }])).toEqual({ ...target, shown: '+15550100' });
    expect(await followed([{ show: 'caller' }], null)).toEqual({ ...target, shown: null });
    expect(await followed([{ agent: 'extension||3', show: '+4930' }])).toEqual({ ...target, shown: '+4930' });
    expect(await followed([{ agent: 'extension||1', show: '+4930' }])).toEqual(target);
  });

  it('decide what an agent’s own call shows, by department and prefix', async () => {
    const rules = [{ department: 'department||sales', prefix: '44', show: 'withhold' }];
    const { telephony, call } = office({}, { rules });
    telephony.setTrunks([TRUNK]);
    await call('+4420', { peer: { kind: 'phone', id: 'acme/1' }, caller: '1001' });
    expect(telephony.targets.at(-1)).toMatchObject({ number: '+4420', shown: null });
    await call('+4421', { peer: { kind: 'phone', id: 'acme/3' }, caller: '1003' });
    expect(telephony.targets.at(-1)).toEqual({ kind: 'trunk', id: 'acme/t1', number: '+4421' });
  });
});
