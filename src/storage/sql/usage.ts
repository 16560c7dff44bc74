// The SQL for what an account has stored.
import { soundBytes } from '../../domain/recording.ts';
import type { Operation } from './operation.ts';
import type { Tx } from './tx.ts';

export const usage: Operation<'usage'> = async (tx, { accountId, of }) => {
  switch (of) {
    case 'voicemail':
      return recordedBytes(tx, accountId, 'voicemail');
    case 'call_recordings':
      return recordedBytes(tx, accountId, 'call');
    case 'records': {
      const [row] = await tx.all('SELECT count(*) AS many FROM records WHERE account_id = $1', [accountId]);
      return Number(row?.['many'] ?? 0);
    }
    case 'recordings':
      return promptBytes(tx, accountId);
  }
};

async function recordedBytes(tx: Tx, accountId: string, kind: string): Promise<number> {
  const [row] = await tx.all('SELECT SUM(bytes) AS used FROM captures WHERE account_id = $1 AND kind = $2', [
    accountId,
    kind,
  ]);
  return Number(row?.['used'] ?? 0);
}

/** The same sound in several records or versions is one file. */
async function promptBytes(tx: Tx, accountId: string): Promise<number> {
  const bytes = new Map<string, number>();
  for (const table of ['records', 'record_versions']) {
    const rows = await tx.all(`SELECT json FROM ${table} WHERE account_id = $1 AND kind = 'recording'`, [
      accountId,
    ]);
    for (const { json } of rows) {
      const { sha256, duration_ms } = JSON.parse(String(json)) as { sha256: string; duration_ms: number };
      bytes.set(sha256, soundBytes(duration_ms));
    }
  }
  return [...bytes.values()].reduce((sum, each) => sum + each, 0);
}
