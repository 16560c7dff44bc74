import { expect, it } from 'vitest';
import { Together } from './together.ts';

it('equal questions share answers, and none is older than its question', async () => {
  const together = new Together();
  const answers: ((value: number) => void)[] = [];
  const ask = (key: string) =>
    together.ask(key, () => new Promise<number>((resolve) => answers.push(resolve)));
  const first = ask('a');
  const second = ask('a');
  const third = ask('a');
  const other = ask('b');
  expect(answers).toHaveLength(2);
  answers[0]?.(1);
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(answers).toHaveLength(3);
  answers[2]?.(2);
  expect([await second, await third]).toEqual([2, 2]);
  answers[1]?.(3);
  expect(await other).toBe(3);
  const later = ask('a');
  answers[3]?.(4);
  expect(await later).toBe(4);
});

it('a question that fails does not fail the next', async () => {
  const together = new Together();
  const first = together.ask('a', () => Promise.reject(new Error('gone')));
  const second = together.ask('a', async () => 2);
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe(2);
});
