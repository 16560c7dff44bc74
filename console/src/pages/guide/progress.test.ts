import { describe, expect, it } from 'vitest';
import { freeNumber, leadsAnywhere, NOTHING_KEPT, progressOf, readKept, stepState } from './progress.ts';

const ann = { eid: 'a', name: 'Ann', intercom: '1001' };
const bob = { eid: 'b', name: 'Bob', intercom: '1002' };
const menu = (id: string, ...eids: string[]) => ({
  id,
  name: id,
  option: eids.map((_, index) => String(index + 1)),
  destination: eids.map((eid) => `extension||${eid}`),
});
const number = (dialled: string, destination: string) => ({
  id: `n${dialled}`,
  number: dialled,
  destination,
});

describe('how far the first steps have come', () => {
  it('a step is ticked only when it is true: an agent has a phone that answers, a menu leads somewhere', () => {
    const made = { agent: ann, menu: menu('x'), number: number('100', 'ivr||x') };
    const without = (): boolean => false;
    expect(stepState('agent', made, [], without)).toBe('waiting');
    expect(stepState('agent', made, [], (eid) => eid === 'a')).toBe('done');
    expect(stepState('menu', made, [], without)).toBe('waiting');
    expect(stepState('menu', { ...made, menu: menu('x', 'a') }, [], without)).toBe('done');
    expect(stepState('number', made, [], without)).toBe('done');
    expect(stepState('number', { ...made, number: null }, [], without)).toBe('open');
    expect(stepState('number', { ...made, number: null }, ['number'], without)).toBe('skipped');
  });

  it('nothing is there: the first step is next', () => {
    const progress = progressOf({ agents: [], menus: [], numbers: [] }, NOTHING_KEPT);
    expect(progress).toEqual({ agent: null, menu: null, number: null, next: 'agent' });
  });

  it('a step that is skipped is not asked for again', () => {
    const kept = { ...NOTHING_KEPT, skipped: ['agent'] as const };
    expect(progressOf({ agents: [], menus: [], numbers: [] }, kept).next).toBe('menu');
  });

  it('it goes on with what is remembered', () => {
    const account = { agents: [ann, bob], menus: [menu('x', 'a'), menu('y', 'b')], numbers: [] };
    const progress = progressOf(account, { ...NOTHING_KEPT, agent: 'b', menu: 'y' });
    expect([progress.agent, progress.menu?.id, progress.next]).toEqual([bob, 'y', 'number']);
  });

  it('without memory, what fits together is found: number, menu and the agent it leads to', () => {
    const account = {
      agents: [ann, bob],
      menus: [menu('x', 'a'), menu('y', 'b')],
      numbers: [number('100', 'ivr||y'), number('101', 'ivr||gone')],
    };
    const progress = progressOf(account, NOTHING_KEPT);
    expect([progress.agent?.eid, progress.menu?.id, progress.number?.number, progress.next]).toEqual([
      'b',
      'y',
      '100',
      null,
    ]);
  });

  it('an agent who is new is offered the menu that callers reach already', () => {
    const account = { agents: [ann, bob], menus: [menu('x', 'a')], numbers: [number('100', 'ivr||x')] };
    const progress = progressOf(account, { ...NOTHING_KEPT, agent: 'b' });
    expect([progress.agent, progress.menu?.id, progress.number?.number]).toEqual([bob, 'x', '100']);
  });

  it('what was remembered and deleted since is to be done again', () => {
    const kept = { ...NOTHING_KEPT, agent: 'gone', menu: 'gone', number: 'gone' };
    expect(progressOf({ agents: [ann], menus: [], numbers: [] }, kept)).toMatchObject({
      agent: ann,
      menu: null,
      next: 'menu',
    });
  });

  it('a number that leads to nothing is none', () => {
    const exists = (reference: string): boolean => reference === 'ivr||x';
    expect(leadsAnywhere([number('1', 'ivr||gone')], exists)).toBe(false);
    expect(leadsAnywhere([number('1', 'ivr||gone'), number('2', 'ivr||x')], exists)).toBe(true);
  });

  it('memory that is damaged is no memory', () => {
    for (const text of [null, '', '{', '7', '[]', '{"agent":7,"skipped":"x"}'])
      expect(readKept(text)).toEqual(NOTHING_KEPT);
    expect(readKept('{"agent":"a","skipped":["menu","evil"]}')).toEqual({
      ...NOTHING_KEPT,
      agent: 'a',
      skipped: ['menu'],
    });
  });

  it('the number that is proposed is free', () => {
    expect(freeNumber([], [])).toBe('100');
    expect(freeNumber([number('100', 'x'), number('102', 'x')], [{ ...ann, intercom: '101' }])).toBe('103');
  });
});
