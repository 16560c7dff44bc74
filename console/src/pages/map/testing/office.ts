// A small account, for tests.
import type { MapRecords } from '../map-records.ts';

export const OFFICE: MapRecords = {
  number: [
    { id: 'n1', number: '100', destination: 'ivr||main', description: '' },
    { id: 'n2', number: '200', destination: 'ivr||main', description: '' },
  ],
  ivr: [
    {
      id: 'main',
      name: 'Main menu',
      description: '',
      option: ['1', '2'],
      destination: ['department||sales', 'extension||7'],
      invalid_destination: 'extension||8',
      timeout_destination: 'hangup||now',
    },
  ],
  timegroup: [],
  announcement: [],
  department: [
    {
      id: 'sales',
      name: 'Sales',
      description: '',
      agents: ['7', '8'],
      failover_destination: 'extension||7',
      full_destination: null,
      timeout_destination: null,
    },
  ],
  agent: [
    { eid: '7', name: 'Asha', intercom: '1001', custom_status: 0, failover_destination: null },
    { eid: '8', name: 'Ben', intercom: '1002', custom_status: 0, failover_destination: null },
  ],
  room: [],
  collect: [],
  request: [],
  stream: [],
  switch: [],
  message: [],
  sip_address: [],
  voicemail: [],
  trunk: [],
};
