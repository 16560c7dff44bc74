// The fields of the account's records that the map reads.
import { DESTINATION_RECORD_KINDS } from '../../../../src/kinds/lists.ts';
import type { Trunk } from '../../../../src/kinds/trunk.ts';

export interface MenuRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly option: readonly (string | number)[];
  readonly destination: readonly string[];
  readonly invalid_destination: string;
  readonly timeout_destination: string;
}

export interface MapRecords {
  readonly number: readonly { id: string; number: string; destination: string; description: string }[];
  readonly ivr: readonly MenuRecord[];
  readonly timegroup: readonly {
    id: string;
    name: string;
    timezone: string;
    open_destination: string | null;
    closed_destination: string | null;
  }[];
  readonly announcement: readonly { id: string; name: string; destination: string }[];
  readonly department: readonly {
    id: string;
    name: string;
    description: string;
    agents: readonly string[];
    failover_destination: string | null;
    full_destination: string | null;
    timeout_destination: string | null;
    after_call_destination?: string | null;
  }[];
  readonly agent: readonly {
    eid: string;
    name: string;
    intercom: string;
    custom_status: 0 | 1;
    failover_destination: string | null;
    after_call_destination?: string | null;
  }[];
  readonly voicemail: readonly { id: string; name: string; email: string | null }[];
  readonly room: readonly { id: string; name: string; failover_destination: string | null }[];
  readonly trunk: readonly TrunkRecord[];
  readonly collect: readonly Asking[];
  readonly stream: readonly (Asking & { readonly destinations: readonly string[] })[];
  readonly request: readonly (Asking & {
    readonly choices: readonly { readonly answer: string; readonly destination: string }[];
  })[];
  readonly switch: readonly {
    id: string;
    name: string;
    rules: readonly {
      readonly variable: string;
      readonly operator: string;
      readonly value: string;
      readonly destination: string;
    }[];
    otherwise_destination: string;
  }[];
  readonly message: readonly { id: string; name: string; next_destination: string }[];
  readonly sip_address: readonly {
    id: string;
    name: string;
    uri: string;
    failover_destination: string | null;
  }[];
}

export interface Asking {
  readonly id: string;
  readonly name: string;
  readonly next_destination: string;
  readonly failed_destination: string;
}

export type TrunkRecord = { readonly id: string; readonly addresses: readonly string[] | null } & Pick<
  Trunk,
  | 'name'
  | 'host'
  | 'enabled'
  | 'inbound_by_registration'
  | 'inbound_numbers'
  | 'outbound_prefixes'
  | 'outbound_format'
>;

/** A new kind of destination belongs into MapRecords and recordNodes(). */
export const MAP_RECORDS: readonly (keyof MapRecords)[] = ['number', 'trunk', ...DESTINATION_RECORD_KINDS];

export const NO_RECORDS: MapRecords = {
  number: [],
  ivr: [],
  timegroup: [],
  announcement: [],
  department: [],
  agent: [],
  voicemail: [],
  room: [],
  trunk: [],
  collect: [],
  request: [],
  stream: [],
  switch: [],
  message: [],
  sip_address: [],
};
