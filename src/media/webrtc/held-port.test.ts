import { expect, it } from 'vitest';
import { HeldPort } from './held-port.ts';

it('keeps other programs from the port until it lets it go, and takes it back when they are gone', async () => {
  const held = await HeldPort.take('127.0.0.1', 0);
  await expect(HeldPort.take('127.0.0.1', held.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  held.release();
  const other = await HeldPort.take('127.0.0.1', held.port);
  await held.takeBack();
  expect(held.isTaken).toBe(true);
  other.release();
  await held.takeBack();
  expect(held.isTaken).toBe(false);
  await expect(HeldPort.take('127.0.0.1', held.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  held.release();
});

it('lets go what it was about to take back', async () => {
  const held = await HeldPort.take('127.0.0.1', 0);
  held.release();
  const taking = held.takeBack();
  held.release();
  await taking;
  const other = await HeldPort.take('127.0.0.1', held.port);
  other.release();
});
