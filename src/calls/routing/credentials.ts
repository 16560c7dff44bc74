// The SIP credentials of agents, as phones authenticate with them.

import type { Agent } from '../../kinds/agent.ts';
import type { SrtpMode } from '../../telephony/ports/trunk.ts';
import type { Credentials } from '../../telephony/telephony.ts';
import { globalId, splitGlobalId, trunkAmong } from './dialling.ts';
import type { Routes } from './routing.ts';

/** What telephony asks of phones and trunks, answered from the routes. */
export class PhoneCredentials {
  readonly #routing: Routes;

  constructor(routing: Routes) {
    this.#routing = routing;
  }

  /** All with this user name: several accounts may have a 1001. */
  credentialsOf(user: string): Credentials[] {
    const all: Credentials[] = [];
    for (const account of this.#routing.accounts()) {
      const agent = account.intercoms.get(user);
      if (agent) all.push(credentials(account.id, agent));
    }
    return all;
  }

  /** Those of one id, if they have this user name. */
  credentialsFor(id: string, user: string): Credentials | undefined {
    const { accountId, id: eid } = splitGlobalId(id);
    const agent = this.#routing.account(accountId)?.intercoms.get(user);
    return agent?.eid === eid ? credentials(accountId, agent) : undefined;
  }

  /** The user name of an agent's phones now; null: there is no such agent. */
  phoneUser(id: string): string | null {
    const { accountId, id: eid } = splitGlobalId(id);
    return this.#routing.account(accountId)?.agents.get(eid)?.intercom ?? null;
  }

  srtpOf(phone: string): SrtpMode {
    return this.#routing.account(splitGlobalId(phone).accountId)?.settings.srtp ?? 'off';
  }

  trunkOf(ids: readonly string[], dialled: readonly string[]): string {
    return trunkAmong(this.#routing, ids, dialled);
  }
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
