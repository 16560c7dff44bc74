// Bodies shown in the documentation. They name what the demonstration data holds, so they work as they stand;
// a test sends every one of them.

const recording = (id: string) => `recording||${id}`;

export const EXAMPLES = {
  ivr: {
    name: 'Main menu',
    description: 'What callers hear first',
    recording: recording('welcome'),
    timeout: 5,
    option: [1, 2],
    destination: ['extension||100001', 'department||support'],
    incorrect_count: '2',
    invalid_recording: recording('invalid'),
    invalid_destination: 'extension||100001',
    timeout_retry_recording: recording('still-there'),
    timeout_recording: recording('connecting'),
    timeout_destination: 'extension||100002',
    timeout_tries: 1,
    sms_template: [],
  },
  scenario: {
    script: '9,wait,1,answer 4s',
    at: '2026-12-24T18:00:00Z',
    agents: { 'extension||100001': 'busy' },
  },
  agent: {
    name: 'Asha Rao',
    follow_me_number: '+919812345678',
    team_id: 1,
    failover_destination: 'department||support',
  },
  team: { name: 'Front desk' },
  department: { name: 'Billing', description: 'Invoices and payments', agents: ['100001', '100003'] },
  number: { number: '101', destination: 'department||sales', description: 'The sales line' },
  changedNumber: { number: '100', destination: 'ivr||main', description: 'The main line' },
  trunk: {
    name: 'Our provider',
    host: 'sip.example.com',
    transport: 'tcp',
    addresses: ['192.0.2.0/24', '2001:db8::/48'],
    username: '4930123456',
    password: 'as the provider gave it',
    register: true,
    inbound_numbers: ['100'],
    outbound_prefixes: [
      { prefix: '+49', strip: 0, add: '' },
      { prefix: '0', strip: 1, add: '+49' },
    ],
    caller_id: '+4930123456',
    max_calls: 30,
  },
  changedTrunk: { name: 'Our other provider', host: '192.0.2.7', outbound_prefixes: ['+49'] },
  // § recordings

  // § people and hours

  // § voicemail

  // § sms
  smsTemplate: {
    name: 'Opening hours',
    text: 'Hello {name}, thank you for calling {ivr}. We are here on weekdays from 9 to 17.',
    kind: 'transactional',
    status: 'active',
  },
  sms: { to: '+4915112345678', text: 'Your table is ready.' },
  delivery: { state: 'delivered' },

  // § webhooks

  // § call records

  // § queue

  // § live calls
  liveCall: { id: '01997b2a-0000-7000-8000-000000000000' },
  transfer: { id: '01997b2a-0000-7000-8000-000000000000', destination: 'department||support' },
  click: { agent: '100001', number: '1002' },

  // § audit and chores

  token: { name: 'continuous integration', expires_in_days: 90 },
  settings: { strict_references: false },
} as const;
