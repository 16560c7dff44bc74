// Sends the planned rows, a few at a time, and reports the result of each.

import { csvText } from '../../kit/csv.ts';
import type { AgentBody, PlannedRow } from './agents-import.ts';

/** The service limits requests per token; more at once would only wait there. */
const AT_ONCE = 4;

export interface MadeAgent {
  readonly eid: string;
  readonly intercom: string;
  /** Only in the first answer: a repeated request with the same idempotency key gets it without. */
  readonly sip_password?: string;
}

export interface ServerFault {
  /** A JSON pointer such as `/intercom`; empty: the whole row. */
  readonly pointer: string;
  readonly message: string;
}

export interface RowResult {
  readonly row: PlannedRow;
  readonly outcome: 'created' | 'repeated' | 'failed' | 'stopped';
  readonly agent?: MadeAgent;
  readonly faults: readonly ServerFault[];
}

/** The rows that can be sent again. */
export const AGAIN: readonly RowResult['outcome'][] = ['failed', 'stopped'];

export interface ImportSteps {
  create(body: AgentBody, key: string): Promise<MadeAgent>;
  /** Whether the agent exists: the answer to a repeated idempotency key may be about an agent that was deleted since. */
  exists(eid: string): Promise<boolean>;
  faultsOf(error: unknown): readonly ServerFault[];
  progress(done: number): void;
}

export async function runImport(
  rows: readonly PlannedRow[],
  steps: ImportSteps,
  signal: AbortSignal,
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < rows.length; index = next++) {
      const row = rows[index];
      if (!row) return;
      results[index] = signal.aborted ? { row, outcome: 'stopped', faults: [] } : await sendRow(row, steps);
      steps.progress(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, worker));
  return results;
}

async function sendRow(row: PlannedRow, steps: ImportSteps): Promise<RowResult> {
  try {
    const agent = await steps.create(row.body, row.key);
    if (agent.sip_password !== undefined) return { row, outcome: 'created', agent, faults: [] };
    if (await steps.exists(agent.eid)) return { row, outcome: 'repeated', agent, faults: [] };
    const again = await steps.create(row.body, `${row.key}-${agent.eid}`);
    return {
      row,
      outcome: again.sip_password === undefined ? 'repeated' : 'created',
      agent: again,
      faults: [],
    };
  } catch (error) {
    return { row, outcome: 'failed', faults: steps.faultsOf(error) };
  }
}

/** The list for setting up the phones. Guarded against formulas, as every CSV we write. */
export function passwordsCsv(results: readonly RowResult[]): string {
  const rows = results.flatMap(({ row, agent }) =>
    agent?.sip_password === undefined ? [] : [[row.body.name, agent.eid, agent.intercom, agent.sip_password]],
  );
  return csvText([['name', 'eid', 'intercom', 'sip_password'], ...rows]);
}
