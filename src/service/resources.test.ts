import { expect, it } from 'vitest';
import { Resources, within } from './resources.ts';

it('resources are closed in reverse order, once each', async () => {
  const closed: string[] = [];
  const resources = new Resources(() => undefined);
  for (const name of ['log', 'storage', 'server'])
    expect(resources.add(name, (each) => void closed.push(each))).toBe(name);
  await resources.close();
  await resources.close();
  expect(closed).toEqual(['server', 'storage', 'log']);
});

it('a resource is closed after the one opened later is closed, and although that one fails', async () => {
  const closed: string[] = [];
  const failures: unknown[] = [];
  const resources = new Resources((error) => void failures.push(error));
  resources.add('storage', () => void closed.push('storage'));
  resources.add('calls', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    closed.push('calls');
    throw new Error('not closed');
  });
  await resources.close();
  expect(closed).toEqual(['calls', 'storage']);
  expect(failures).toEqual([new Error('not closed')]);
});

it('work that never ends is waited for no longer than the limit', async () => {
  await within(10, () => new Promise(() => undefined));
  await expect(within(10_000, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
});
