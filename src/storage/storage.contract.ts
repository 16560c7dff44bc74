// What every database behind the port must do: the contracts of all areas. SQLite and PostgreSQL pass it (storage.test.ts).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountContract } from './ports/accounts.contract.ts';
import { agentPresenceContract } from './ports/agent-presence.contract.ts';
import { auditContract } from './ports/audit.contract.ts';
import { bindingContract } from './ports/bindings.contract.ts';
import { callRecordingContract } from './ports/call-recordings.contract.ts';
import { callSearchContract } from './ports/call-search.contract.ts';
import { callbackContract } from './ports/callbacks.contract.ts';
import { callContract } from './ports/calls.contract.ts';
import { claimContract } from './ports/claims.contract.ts';
import { deletedRecordContract } from './ports/deleted-records.contract.ts';
import { draftContract } from './ports/drafts.contract.ts';
import { installationContract } from './ports/installation.contract.ts';
import { interruptedCallContract } from './ports/interrupted-calls.contract.ts';
import { leaseContract } from './ports/leases.contract.ts';
import { liveCallContract } from './ports/live-calls.contract.ts';
import { messageContract } from './ports/messages.contract.ts';
import { networkContract } from './ports/networks.contract.ts';
import { nodeContract } from './ports/nodes.contract.ts';
import { notificationContract } from './ports/notifications.contract.ts';
import type { Opened } from './ports/opened.contract.ts';
import { outboxContract } from './ports/outbox.contract.ts';
import { promptContract } from './ports/prompts.contract.ts';
import { recordContract } from './ports/records.contract.ts';
import { revisionContract } from './ports/revisions.contract.ts';
import { serviceVariableContract } from './ports/service-variables.contract.ts';
import { sessionContract } from './ports/sessions.contract.ts';
import { tenantJobContract } from './ports/tenant-jobs.contract.ts';
import { tenantContract } from './ports/tenants.contract.ts';
import { trunkRegistrationContract } from './ports/trunk-registrations.contract.ts';
import { uniqueKeyContract } from './ports/unique-keys.contract.ts';
import { usageContract } from './ports/usage.contract.ts';
import { userAccessContract } from './ports/user-access.contract.ts';
import { userContract } from './ports/users.contract.ts';

const CONTRACTS = [
  recordContract,
  deletedRecordContract,
  uniqueKeyContract,
  draftContract,
  auditContract,
  claimContract,
  accountContract,
  networkContract,
  sessionContract,
  userContract,
  userAccessContract,
  revisionContract,
  callContract,
  interruptedCallContract,
  callRecordingContract,
  promptContract,
  callSearchContract,
  outboxContract,
  messageContract,
  bindingContract,
  trunkRegistrationContract,
  agentPresenceContract,
  callbackContract,
  tenantContract,
  tenantJobContract,
  installationContract,
  serviceVariableContract,
  nodeContract,
  leaseContract,
  notificationContract,
  liveCallContract,
  usageContract,
];

export function storageContract(open: () => Promise<Opened>): void {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.storage.close());

  for (const contract of CONTRACTS) contract(() => opened);

  it('a probe answers while the database does', async () => {
    await expect(opened.storage.probe()).resolves.toBeUndefined();
  });
}
