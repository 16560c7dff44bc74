// Several processes that share agents and queues, and a log of what they did: written by triggers, so in the transactions themselves.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { query } from '../../support/postgres.ts';
import type { LoadOrder, LoadResult } from './agent-load.ts';

const SCRIPT = fileURLToPath(new URL('./agent-load.ts', import.meta.url));

export interface AgentLoad {
  readonly process: ChildProcess;
  /** Once; rejects when the process ends before. */
  run(): Promise<LoadResult>;
}

export async function agentLoad(order: LoadOrder): Promise<AgentLoad> {
  const child = fork(SCRIPT, [JSON.stringify(order)], { execArgv: ['--import', 'tsx'] });
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(message as T));
      child.once('exit', (code, signal) => reject(new Error(`${order.node} ended: ${code ?? signal}`)));
    });
  await next();
  return {
    process: child,
    run: async () => {
      const result = next<LoadResult>();
      child.send('go');
      return result;
    },
  };
}

export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** An offer while a caller with a lower number waits for the same agents; a claim while another call has the agent. */
const LOG = [
  'CREATE TABLE IF NOT EXISTS offer_log (id BIGSERIAL, number BIGINT, node TEXT, overtaken BIGINT)',
  'CREATE TABLE IF NOT EXISTS claim_log (id BIGSERIAL, account_id TEXT, agent TEXT, holder TEXT, claimed BOOLEAN)',
  `CREATE OR REPLACE FUNCTION log_offer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO offer_log (number, node, overtaken) SELECT NEW.number, NEW.node, count(*) FROM queue_callers AS other
      WHERE other.account_id = NEW.account_id AND other.list = NEW.list AND other.offered IS NULL AND other.number < NEW.number;
    RETURN NULL; END $$`,
  `CREATE OR REPLACE FUNCTION log_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN INSERT INTO claim_log (account_id, agent, holder, claimed)
      VALUES (NEW.account_id, NEW.agent, NEW.holder, true);
    ELSE INSERT INTO claim_log (account_id, agent, holder, claimed) VALUES (OLD.account_id, OLD.agent, OLD.holder, false); END IF;
    RETURN NULL; END $$`,
  `CREATE OR REPLACE TRIGGER log_offer AFTER INSERT OR UPDATE ON queue_callers FOR EACH ROW
    WHEN (NEW.offered IS NOT NULL) EXECUTE FUNCTION log_offer()`,
  `CREATE OR REPLACE TRIGGER log_claim AFTER INSERT OR DELETE ON agent_claims FOR EACH ROW EXECUTE FUNCTION log_claim()`,
];

export async function logChanges(url: string): Promise<void> {
  for (const sql of LOG) await query(url, sql);
}

export interface Logged {
  readonly offers: number;
  readonly outOfOrder: number;
  readonly claims: number;
  /** Claims of an agent whose claim before was not released yet. */
  readonly doubled: number;
}

export async function readLog(url: string): Promise<Logged> {
  const [offers] = await query(
    url,
    'SELECT count(*) AS offers, count(*) FILTER (WHERE overtaken > 0) AS wrong FROM offer_log',
  );
  const [claims] = await query(
    url,
    `SELECT count(*) FILTER (WHERE claimed) AS claims, count(*) FILTER (WHERE claimed AND before) AS doubled FROM (
      SELECT claimed, lag(claimed) OVER (PARTITION BY account_id, agent ORDER BY id) AS before FROM claim_log
      WHERE account_id = 'acme') AS log`,
  );
  return {
    offers: Number(offers?.['offers']),
    outOfOrder: Number(offers?.['wrong']),
    claims: Number(claims?.['claims']),
    doubled: Number(claims?.['doubled']),
  };
}
