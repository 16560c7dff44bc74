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
  department: {
    name: 'Billing',
    description: 'Invoices and payments',
    agents: ['100001', '100003'],
    strategy: 'longest_idle',
    ring_seconds: 20,
    failover_destination: 'extension||100002',
    queue: true,
    announce_position: 30,
    max_wait_seconds: 300,
    max_waiting: 20,
    wrapup_seconds: 10,
    exit_key: '0',
  },
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
  recording: {
    name: 'Closed',
    text: 'We are closed today. Please call again tomorrow.',
    voice: 'en',
    speed: 160,
  },
  changedRecording: { name: 'Welcome', description: 'What callers hear first' },

  timeGroup: {
    name: 'Office hours',
    timezone: 'Europe/Berlin',
    weekly: [
      { days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '17:30' },
      { days: ['fri'], from: '09:00', to: '15:00' },
    ],
    exceptions: [
      { name: 'Christmas', from: '12-24', to: '12-26', hours: [] },
      { name: 'Stock-taking', from: '2026-12-30', hours: [{ from: '13:00', to: '15:00' }] },
    ],
    open_destination: 'department||support',
    closed_destination: 'hangup||now',
  },
  announcement: {
    name: 'Calls are recorded',
    recording: recording('welcome'),
    destination: 'department||support',
  },
  voicemailBox: {
    name: 'Support',
    greeting: recording('welcome'),
    max_seconds: 180,
    email: 'support@example.com',
  },
  blockedNumber: { number: '+49900*', reason: 'Premium-rate numbers' },
  changedBlock: { anonymous: true, dialled: '100', reason: 'Sales calls' },
  callerIdRule: {
    name: 'Support shows its own line',
    priority: 10,
    department: 'department||support',
    prefix: '+49',
    show: '+4930123456',
  },

  smsTemplate: {
    name: 'Opening hours',
    text: 'Hello {name}, thank you for calling {ivr}. We are here on weekdays from 9 to 17.',
    kind: 'transactional',
    status: 'active',
  },
  sms: { to: '+4915112345678', text: 'Your table is ready.' },
  delivery: { state: 'delivered' },

  webhook: {
    name: 'Our help desk',
    url: 'https://hooks.example.com/dialtree',
    events: ['call.received', 'call.answered', 'call.missed', 'call.ended', 'voicemail.received'],
  },
  replay: { from: '2026-12-24T17:00:00Z', to: '2026-12-24T18:00:00Z' },

  liveCall: { call_id: '01997b2a-0000-7000-8000-000000000000' },
  transfer: { call_id: '01997b2a-0000-7000-8000-000000000000', destination: 'department||support' },
  listen: { call_id: '01997b2a-0000-7000-8000-000000000000', agent: '100002', mode: 'whisper' },
  click: { agent: '100001', number: '1002' },

  session: { token: 'dialtree_the-token-that-was-printed-at-the-first-start' },
  currentSession: { account: 'default' },
  token: { name: 'continuous integration', expires_in_days: 90, scopes: ['read', 'write'] },
  settings: { strict_references: false },
} as const;
