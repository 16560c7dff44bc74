// What an allowance must do, in one process and between nodes.
import { expect, it } from 'vitest';
import { type Allowance, type AllowanceTerms, DAY_MS } from './allowance.ts';

export function allowanceContract(open: (terms: AllowanceTerms) => Allowance): void {
  it('each account has its own allowance of a period', async () => {
    const allowance = open({ name: 'sms', most: 2, periodMs: DAY_MS });
    expect([await allowance.take('one'), await allowance.take('one'), await allowance.take('one')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await allowance.take('two')).toBe(true);
  });

  it('allowances of different names are apart, and one of 0 allows nothing', async () => {
    const day = open({ name: 'a day', most: 1, periodMs: DAY_MS });
    const other = open({ name: 'another', most: 1, periodMs: DAY_MS });
    expect(await day.take('one')).toBe(true);
    expect(await other.take('one')).toBe(true);
    expect(await day.take('one')).toBe(false);
    expect(await open({ name: 'none', most: 0, periodMs: DAY_MS }).take('one')).toBe(false);
  });

  it('an account may have another limit than others', async () => {
    const allowance = open({ name: 'by account', most: 1, periodMs: DAY_MS });
    const taken: boolean[] = [];
    for (const most of [2, 2, 2, 3, 0]) taken.push(await allowance.take('one', most));
    expect(taken).toEqual([true, true, false, true, false]);
  });

  it('the next period has an allowance again', async () => {
    const allowance = open({ name: 'short', most: 1, periodMs: 200 });
    expect(await allowance.take('one')).toBe(true);
    await expect.poll(() => allowance.take('one'), { interval: 20 }).toBe(true);
    expect(allowance.secondsLeft).toBe(1);
  });
}
