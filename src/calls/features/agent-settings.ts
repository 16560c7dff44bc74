// Members of an agent's record that the agent's phone changes by star codes. A change is audited, makes a new version of the record, and is
// what the next call goes by.

import { readRow } from '../../domain/row.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import type { Agent } from '../../kinds/agent.ts';
import type { Storage } from '../../storage/storage.ts';

export type AgentChange = Partial<
  Pick<Agent, 'do_not_disturb' | 'forward_always' | 'forward_busy' | 'forward_no_answer' | 'call_waiting'>
>;

export interface AgentSettings {
  /** False: there is no such agent any more. Rejects with StorageError. */
  change(accountId: string, eid: string, change: AgentChange): Promise<boolean>;
}

const MAX_ATTEMPTS = 5;

export class StoredAgentSettings implements AgentSettings {
  readonly #storage: Pick<Storage, 'findRecordId' | 'getRecord' | 'updateRecord'>;
  readonly #epochMs: () => number;

  constructor(storage: Pick<Storage, 'findRecordId' | 'getRecord' | 'updateRecord'>, epochMs: () => number) {
    this.#storage = storage;
    this.#epochMs = epochMs;
  }

  /** As it is now: another writer may have changed it meanwhile, then once more. */
  async change(accountId: string, eid: string, change: AgentChange): Promise<boolean> {
    const kind = 'agent';
    const key = { name: 'eid', value: eid };
    const id = await this.#storage.findRecordId({ accountId, kind, id: eid, key });
    if (id === null) return false;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await this.#storage.getRecord({ accountId, kind, id });
      if (!row) return false;
      const before = readRow(kind, row).data;
      const data: Agent = { ...before, ...change };
      if (JSON.stringify(data) === JSON.stringify(before)) return true;
      const atMs = this.#epochMs();
      const by = { id: `phone of agent ${eid}`, name: data.name, requestId: '', atMs };
      const { outcome } = await this.#storage.updateRecord({
        accountId,
        kind,
        id,
        expectedVersion: row.version,
        ...uniqueKeys(kind, id, data),
        atMs,
        json: JSON.stringify(data),
        by,
      });
      if (outcome === 'updated') return true;
      if (outcome !== 'version_changed') return false;
    }
    return false;
  }
}
