import { expect, it } from 'vitest';
import { statementName } from './tx.ts';

it('a prepared statement is named by its text alone, so that nodes behind a pooler never mean different ones by a name', () => {
  const name = statementName('SELECT 1');
  expect(statementName('SELECT 2')).not.toBe(name);
  expect(statementName('SELECT 1')).toBe(name);
  // Not by the order of first use: another process has another one.
  expect(name).toBe('dialtree_e004ebd5b5532a4b85984a62f8ad48a8');
  // PostgreSQL cuts longer names off.
  expect(Buffer.byteLength(name)).toBeLessThan(64);
});
