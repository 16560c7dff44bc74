// What every adapter of the port must do. The built-in one passes it on real sockets with our own phone, and so does the fake, so
// that what is tested with the fake holds for the other.
import { afterEach, beforeEach } from 'vitest';
import { ContractBed } from './contract/bed.contract.ts';
import { connectedLegs } from './contract/connected-legs.contract.ts';
import { incomingCalls } from './contract/incoming-calls.contract.ts';
import { outgoingCalls } from './contract/outgoing-calls.contract.ts';
import { recording } from './contract/recording.contract.ts';
import type { TestNetwork } from './contract/test-network.contract.ts';
import type { TelephonyUser } from './telephony.ts';

export function telephonyContract(open: (user: TelephonyUser) => Promise<TestNetwork>): void {
  const bed = new ContractBed();
  beforeEach(() => bed.open(open));
  afterEach(() => bed.close());
  incomingCalls(bed);
  outgoingCalls(bed);
  recording(bed);
  connectedLegs(bed);
}
