// Addresses for one phone of an agent, which cannot sign in: the address is the key. It is sealed with the service's key and names the
// agent's SIP password, so it ends with that password, on every node. Nothing is stored of it.
import { createHash } from 'node:crypto';
import { readRow } from '../../domain/row.ts';
import type { Agent } from '../../kinds/agent.ts';
import type { StoredRecord } from '../../kinds/record.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';

export interface PhoneAddress {
  readonly accountId: string;
  readonly agentId: string;
  /** Names the password that the agent had when the address was made. */
  readonly password: string;
  readonly expiresMs: number;
}

/** A name for a password that says nothing about it. */
const nameOf = ({ sip }: Agent): string =>
  createHash('sha256').update(sip.sha256).digest('base64url').slice(0, 8);

/** `place`: what the address is for. One that was made for another purpose is not opened. */
export function sealAddress(
  place: string,
  agent: StoredRecord<Agent>,
  expiresMs: number,
  request: ApiRequest,
  { sealer }: ApiContext,
): string {
  return sealer.seal(
    [expiresMs.toString(36), nameOf(agent.data), agent.id, request.account.id].join(' '),
    place,
  );
}

/** Null if it is not ours, or has expired. */
export function openAddress(
  place: string,
  code: string,
  nowMs: number,
  { sealer }: ApiContext,
): PhoneAddress | null {
  const [expires = '', password = '', agentId = '', accountId = ''] =
    sealer.open(code, place)?.split(' ') ?? [];
  const expiresMs = Number.parseInt(expires, 36);
  return expiresMs > nowMs ? { expiresMs, password, agentId, accountId } : null;
}

/** Null if the agent is gone, or has another password since. */
export async function agentOf(
  { accountId, agentId: id, password }: PhoneAddress,
  { storage }: ApiContext,
): Promise<StoredRecord<Agent> | null> {
  const row = await storage.getRecord({ accountId, kind: 'agent', id });
  const agent = row ? readRow('agent', row) : null;
  return agent && nameOf(agent.data) === password ? agent : null;
}
