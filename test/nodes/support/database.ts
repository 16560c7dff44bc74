// The PostgreSQL of one test: stopped, started, frozen and thawed under running nodes.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, query, startPostgres } from '../../support/postgres.ts';

export class TestDatabase {
  readonly server: PostgresServer;
  /** As the tests reach it; nodes in namespaces have `urlAt`. */
  readonly url: string;
  readonly #folder: string;
  #frozen: number[] = [];

  /** It answers at every address of the machine, so at that of a bridge; only this test's database is on it. */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<TestDatabase> {
    const folder = mkdtempSync(join(tmpdir(), 'dialtree-hba-'));
    const access = join(folder, 'pg_hba.conf');
    writeFileSync(
      access,
      'local all all trust\nhost all all 127.0.0.1/32 trust\nhost all all 10.0.0.0/8 trust\n',
    );
    chmodSync(folder, 0o755);
    const server = await startPostgres({
      listen_addresses: '*',
      hba_file: access,
      ...settings,
    });
    return new TestDatabase(server, await server.newDatabase(), folder);
  }

  private constructor(server: PostgresServer, url: string, folder: string) {
    this.server = server;
    this.url = url;
    this.#folder = folder;
  }

  urlAt(host: string): string {
    const url = new URL(this.url);
    url.hostname = host;
    return url.href;
  }

  query(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return query(this.url, sql, values);
  }

  /** 'immediate' is a crash. */
  stop(mode: 'fast' | 'immediate' = 'immediate'): Promise<void> {
    return this.server.stop(mode);
  }

  start(): Promise<void> {
    return this.server.start();
  }

  /** Connections stay open and nothing answers, as behind a network that drops everything. */
  async pause(): Promise<void> {
    const others = await this.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    this.#frozen = [this.server.pid, ...others.map(({ pid }) => Number(pid))];
    for (const pid of this.#frozen) process.kill(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#frozen) process.kill(pid, 'SIGCONT');
    this.#frozen = [];
  }

  async remove(): Promise<void> {
    this.resume();
    await this.server.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
