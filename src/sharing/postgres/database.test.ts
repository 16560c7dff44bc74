import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PostgresServer, postgresMissing, startPostgres } from '../../../test/support/postgres.ts';
import { StorageError } from '../../storage/storage.ts';
import { noticesContract } from '../ports/notices.contract.ts';
import { openSharedDatabase, type SharedDatabase } from './database.ts';
import { PostgresNotices } from './notices.ts';

describe.skipIf(postgresMissing())('the database that nodes share', () => {
  let server: PostgresServer;
  let url: string;
  let here: SharedDatabase;
  let there: SharedDatabase;
  const open = (): SharedDatabase =>
    openSharedDatabase({ url, onConnectionError: () => undefined, failed: () => undefined });

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.newDatabase();
    here = open();
    there = open();
    await here.query('CREATE TABLE numbers (n BIGINT PRIMARY KEY)');
    await Promise.all([here, there].map(listening));
  });
  afterAll(async () => {
    await Promise.all([here?.close(), there?.close()]);
    await server?.remove();
  });

  /** Until a notice of its own arrives. */
  async function listening({ notices }: SharedDatabase): Promise<void> {
    let heard = 0;
    const end = notices.subscribe(
      'ready',
      () => void heard++,
      () => undefined,
    );
    await vi.waitFor(
      async () => {
        await notices.publish('ready', '');
        expect(heard).toBeGreaterThan(0);
      },
      { interval: 50 },
    );
    end();
  }

  noticesContract(() => ({ here: here.notices, there: there.notices }));

  it('a transaction is whole or not at all, its notices with it, and its commit is not synced', async () => {
    const heard: string[] = [];
    const end = there.notices.subscribe(
      'numbers',
      (text) => void heard.push(text),
      () => undefined,
    );
    const failing = here.run(async (tx) => {
      await tx.query('INSERT INTO numbers VALUES (1)');
      await tx.notify('numbers', 'rolled back');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const setting = await here.run(async (tx) => {
      await tx.query('INSERT INTO numbers SELECT * FROM unnest($1::bigint[])', [[2, 3]]);
      await tx.notify('numbers', 'committed');
      return tx.query("SELECT current_setting('synchronous_commit') AS is");
    });
    expect(setting).toEqual([{ is: 'off' }]);
    expect(await here.query("SELECT current_setting('synchronous_commit') AS is")).toEqual([{ is: 'on' }]);
    expect(await there.query('SELECT n FROM numbers ORDER BY n')).toEqual([{ n: '2' }, { n: '3' }]);
    await vi.waitFor(() => expect(heard).toEqual(['committed']));
    end();
  });

  it('a deadlock is tried again', async () => {
    const both = (first: number, second: number, shared: SharedDatabase): Promise<unknown> =>
      shared.run(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [first]);
        await tx.query('SELECT pg_sleep(0.05)');
        await tx.query('SELECT pg_advisory_xact_lock($1)', [second]);
      });
    await expect(Promise.all([both(1, 2, here), both(2, 1, there)])).resolves.toBeDefined();
  });

  it('a statement that waits too long fails as an outage', async () => {
    await expect(here.query('SELECT pg_sleep(10)')).rejects.toThrow(StorageError);
  });

  it('without LISTEN subscribers are called every second', async () => {
    const notices = new PostgresNotices({
      url,
      // As through a pooler: LISTEN is accepted, and no notice arrives.
      publish: async () => undefined,
      onConnectionError: () => undefined,
      failed: () => undefined,
    });
    let missed = 0;
    notices.subscribe(
      'a',
      () => undefined,
      () => void missed++,
    );
    await vi.waitFor(() => expect(missed).toBeGreaterThanOrEqual(3));
    await notices.close();
  });

  it('after the database was away subscribers are called to read again, and notices arrive again', async () => {
    let missed = 0;
    const end = there.notices.subscribe(
      'a',
      () => undefined,
      () => void missed++,
    );
    await server.stop('immediate');
    await expect(here.query('SELECT 1')).rejects.toThrow(StorageError);
    await server.start();
    await vi.waitFor(() => expect(missed).toBeGreaterThan(0));
    await listening(there);
    end();
  });
});
