// The SIP credentials of agents, as phones authenticate with them.
import type { Agent } from '../../kinds/agent.ts';
import type { Credentials } from '../../telephony/telephony.ts';
import { globalId, splitGlobalId } from './dialling.ts';
import type { Routes } from './routing.ts';

/** All with this user name: several accounts may have a 1001. */
export function credentialsOf(routing: Routes, user: string): Credentials[] {
  const all: Credentials[] = [];
  for (const account of routing.accounts()) {
    const agent = account.intercoms.get(user);
    if (agent) all.push(credentials(account.id, agent));
  }
  return all;
}

/** Those of one id, if they have this user name. */
export function credentialsFor(routing: Routes, id: string, user: string): Credentials | undefined {
  const { accountId, id: eid } = splitGlobalId(id);
  const agent = routing.account(accountId)?.intercoms.get(user);
  return agent?.eid === eid ? credentials(accountId, agent) : undefined;
}

/** The user name of an agent's phones now; null: there is no such agent. */
export function phoneUser(routing: Routes, id: string): string | null {
  const { accountId, id: eid } = splitGlobalId(id);
  return routing.account(accountId)?.agents.get(eid)?.intercom ?? null;
}

function credentials(accountId: string, { eid, sip, sip_sha256 }: Agent): Credentials {
  return {
    id: globalId(accountId, eid),
    realm: sip.realm,
    md5: sip.md5,
    sha256: sip.sha256,
    requireSha256: sip_sha256 === true,
  };
}
