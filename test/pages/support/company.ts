// A small company on a service that runs: Lotus Travel. Made through the API, as its people would have made it, so that pages have
// something to show. Past calls are in past-calls.ts, real ones in live-phones.ts.
import { readFileSync } from 'node:fs';
import { call, type Json, type Service } from '../../support/service.ts';

export interface Company {
  /** Ids by a word that this file chose. */
  readonly menus: Readonly<Record<'welcome' | 'bookings' | 'closed' | 'language', string>>;
  readonly departments: Readonly<Record<'bookings' | 'changes' | 'invoices', string>>;
  readonly agents: readonly Colleague[];
  readonly hours: string;
  readonly box: string;
  readonly recording: string;
  readonly numbers: Readonly<Record<'main' | 'direct' | 'hotline', string>>;
}

export interface Colleague {
  readonly eid: string;
  readonly intercom: string;
  readonly password: string;
}

const NAMES = [
  'Meera Krishnan',
  'Tomás Oliveira',
  'Lena Hoffmann',
  'Kwame Mensah',
  'Sofia Rossi',
  'Noah Lindqvist',
  'Aiko Tanaka',
  'Zofia Kowalska',
  'Rahul Deshpande',
  'Emma O’Brien',
];
export const NUMBERS = { main: '+4930555010', direct: '+4930555011', hotline: '+4930555012' } as const;
const SOUNDS = {
  welcome: 'welcome',
  bookings: 'connecting',
  closed: 'still-there',
  sorry: 'invalid',
} as const;

export async function fillCompany({ url }: Pick<Service, 'url'>): Promise<Company> {
  const make = async (path: string, body: object): Promise<Json> => {
    const { status, json, text, headers } = await call(url, 'POST', path, { body });
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    // The answer to a new menu has no id: where it is says it.
    return { id: headers.get('location')?.split('/').at(-1), ...json };
  };
  const idOf = async (path: string, body: object): Promise<string> => String((await make(path, body)).id);

  const recordings = await uploadSounds(make);
  const team = Number(await idOf('/v1/team', { name: 'Travel advisers' }));
  const office = Number(await idOf('/v1/team', { name: 'Back office' }));
  const agents = await Promise.all(
    NAMES.map(async (name, index): Promise<Colleague> => {
      const eid = String(200_101 + index);
      const intercom = String(2101 + index);
      const made = await make('/v1/agent', {
        name,
        eid,
        intercom,
        team_id: index < 7 ? team : office,
        ...(index % 3 === 0 ? { follow_me_number: `+49151555${100 + index}` } : {}),
      });
      return { eid, intercom, password: String(made.sip_password) };
    }),
  );
  const eids = agents.map(({ eid }) => eid);
  const box = await idOf('/v1/voicemail_box', {
    name: 'Travel desk',
    greeting: `recording||${recordings.closed}`,
    max_seconds: 180,
    email: 'desk@lotus.example',
  });
  await make('/v1/voicemail_box', { name: 'Invoices', max_seconds: 120 });
  const departments = {
    bookings: await idOf('/v1/department', {
      name: 'Bookings',
      description: 'Flights, hotels, whole journeys',
      agents: eids.slice(0, 5),
      strategy: 'longest_idle',
      ring_seconds: 20,
      failover_destination: `voicemail||${box}`,
      queue: true,
      announce_position: 30,
      max_wait_seconds: 300,
      max_waiting: 20,
      wrapup_seconds: 10,
    }),
    changes: await idOf('/v1/department', {
      name: 'Changes and refunds',
      description: 'When plans change',
      agents: eids.slice(3, 7),
      strategy: 'round_robin',
      ring_seconds: 25,
      failover_destination: `voicemail||${box}`,
    }),
    invoices: await idOf('/v1/department', {
      name: 'Invoices',
      description: 'Payments and receipts',
      agents: eids.slice(7),
      strategy: 'in_order',
      ring_seconds: 15,
      failover_destination: `extension||${eids[9]}`,
    }),
  };
  const menus = await makeMenus(idOf, { recordings, departments, box, eids });
  const hours = await makeHours(idOf, menus, box);
  await makeOutside(make, { menus, hours, departments });
  return { menus, departments, agents, hours, box, recording: recordings.welcome, numbers: NUMBERS };
}

type Make = (path: string, body: object) => Promise<Json>;
type IdOf = (path: string, body: object) => Promise<string>;
type Sounds = Readonly<Record<keyof typeof SOUNDS, string>>;

async function uploadSounds(make: Make): Promise<Sounds> {
  const names = {
    welcome: 'Lotus: welcome and choices',
    bookings: 'Lotus: where do you want to go?',
    closed: 'Lotus: we are closed',
    sorry: 'Lotus: that key does nothing',
  };
  const ids: Record<string, string> = {};
  for (const [word, file] of Object.entries(SOUNDS)) {
    const form = new FormData();
    form.set('name', names[word as keyof typeof SOUNDS]);
    form.set('description', 'Spoken by Meera, November 2026');
    const path = new URL(`../../../examples/recordings/${file}.wav`, import.meta.url);
    form.set('file', new Blob([new Uint8Array(readFileSync(path))]), `${file}.wav`);
    ids[word] = (await make('/v1/recording', form)).id;
  }
  return ids as Sounds;
}

interface Around {
  readonly recordings: Sounds;
  readonly departments: Readonly<Record<'bookings' | 'changes' | 'invoices', string>>;
  readonly box: string;
  readonly eids: readonly string[];
}

async function makeMenus(
  idOf: IdOf,
  { recordings, departments, box, eids }: Around,
): Promise<Company['menus']> {
  const sound = (word: keyof Sounds): string => `recording||${recordings[word]}`;
  const template = await idOf('/v1/sms_template', {
    name: 'Booking link',
    text: 'Hello {name}, book online at lotus.example/go – or just call us again.',
  });
  const common = {
    timeout: 5,
    incorrect_count: 2,
    invalid_recording: sound('sorry'),
    timeout_retry_recording: sound('closed'),
    timeout_recording: sound('bookings'),
    timeout_tries: 1,
  };
  const agentStates = `department||${departments.bookings}`;
  const language = await idOf('/v1/ivr', {
    ...common,
    name: 'Language',
    description: 'Hindi or English, before everything else',
    recording: sound('welcome'),
    option: ['1', '2'],
    destination: [agentStates, `extension||${eids[0]}`],
    invalid_destination: agentStates,
    timeout_destination: agentStates,
  });
  const bookings = await idOf('/v1/ivr', {
    ...common,
    name: 'New journeys',
    description: 'What a caller wants to book',
    recording: sound('bookings'),
    option: ['1', '2', '3', '9'],
    destination: [agentStates, agentStates, `extension||${eids[2]}`, `ivr||${language}`],
    sms_template: [template, null, null, null],
    invalid_destination: agentStates,
    timeout_destination: agentStates,
  });
  const closed = await idOf('/v1/ivr', {
    ...common,
    name: 'After hours',
    description: 'Nights, weekends and holidays',
    recording: sound('closed'),
    option: ['1', '0'],
    destination: [`voicemail||${box}`, `extension||${eids[3]}`],
    invalid_destination: `voicemail||${box}`,
    timeout_destination: 'hangup||now',
  });
  const welcome = await idOf('/v1/ivr', {
    ...common,
    name: 'Lotus Travel',
    description: 'What callers hear first',
    recording: sound('welcome'),
    option: ['1', '2', '3', '0', '42'],
    destination: [
      `ivr||${bookings}`,
      `department||${departments.changes}`,
      `department||${departments.invoices}`,
      `extension||${eids[0]}`,
      `ivr||${closed}`,
    ],
    invalid_destination: `extension||${eids[0]}`,
    timeout_destination: `department||${departments.bookings}`,
    tests: [
      {
        name: '3 reaches invoices',
        script: '3,answer',
        expect: { outcome: 'connected', visited: [`department||${departments.invoices}`] },
      },
      { name: 'silence ends at bookings', script: 'wait,wait,answer', expect: { visited: [agentStates] } },
    ],
  });
  return { welcome, bookings, closed, language };
}

async function makeHours(idOf: IdOf, menus: Company['menus'], box: string): Promise<string> {
  await idOf('/v1/timegroup', {
    name: 'Emergency line',
    timezone: 'Asia/Kolkata',
    weekly: [{ days: ['sat', 'sun'], from: '08:00', to: '20:00' }],
    open_destination: `ivr||${menus.closed}`,
    closed_destination: `voicemail||${box}`,
  });
  return idOf('/v1/timegroup', {
    name: 'Travel desk hours',
    timezone: 'Europe/Berlin',
    weekly: [
      { days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '12:30' },
      { days: ['mon', 'tue', 'wed', 'thu'], from: '13:15', to: '18:00' },
      { days: ['fri'], from: '09:00', to: '15:00' },
      { days: ['sat'], from: '10:00', to: '14:00' },
    ],
    exceptions: [
      { name: 'Christmas', from: '12-24', to: '12-26', hours: [] },
      { name: 'Stock-taking', from: '2026-12-30', hours: [{ from: '13:00', to: '15:00' }] },
    ],
    open_destination: `ivr||${menus.welcome}`,
    closed_destination: `ivr||${menus.closed}`,
  });
}

interface Inside {
  readonly menus: Company['menus'];
  readonly hours: string;
  readonly departments: Around['departments'];
}

async function makeOutside(make: Make, { menus, hours, departments }: Inside): Promise<void> {
  // biome-ignore format: a table is read by its columns
  const rows: readonly (readonly [string, object])[] = [
    ['/v1/number', { number: NUMBERS.main, destination: `timegroup||${hours}`, description: 'On every brochure' }],
    ['/v1/number', { number: NUMBERS.direct, destination: `ivr||${menus.welcome}`, description: 'Regular customers' }],
    ['/v1/number', { number: NUMBERS.hotline, destination: `department||${departments.changes}`, description: 'Printed on tickets' }],
    ['/v1/announcement', { name: 'Calls may be recorded', recording: 'recording||welcome', destination: `ivr||${menus.welcome}` }],
    ['/v1/announcement', { name: 'Strike at the airport', recording: 'recording||still-there', destination: `department||${departments.changes}` }],
    ['/v1/trunk', { name: 'Rhein Telekom', host: '192.0.2.10', username: '4930555010', password: 'not a real one', inbound_numbers: [NUMBERS.main, NUMBERS.direct], outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }], caller_id: NUMBERS.main, max_calls: 30 }],
    ['/v1/trunk', { name: 'Backup line', host: '192.0.2.20', outbound_prefixes: ['+4'], enabled: false }],
    ['/v1/caller_id_rule', { name: 'Refunds show the hotline', priority: 10, department: `department||${departments.changes}`, prefix: '+49', show: NUMBERS.hotline }],
    ['/v1/caller_id_rule', { name: 'Everyone else', priority: 100, show: NUMBERS.main }],
    ['/v1/blocked_number', { number: '+49900*', reason: 'Premium-rate numbers' }],
    ['/v1/contact', { name: 'Mira Lindqvist', company: 'Lindqvist Marine', numbers: ['+46 8 123 456 78', '+46 70 123 45 67'], email: 'mira@lindqvist.example', priority: 10 }],
    ['/v1/contact', { name: 'Tobias Brandt', company: 'Brandt & Söhne', numbers: ['+49 40 555 0170'], notes: 'Groups of 20 and more. Prefers to be called back in the afternoon.' }],
    ['/v1/contact', { name: 'Airport desk', numbers: ['+49 30 555 0190'] }],
    ['/v1/blocked_number', { anonymous: true, dialled: NUMBERS.hotline, reason: 'Hides the number' }],
    ['/v1/sms_template', { name: 'We called back', text: 'Lotus Travel tried to reach you. Please call +49 30 555010.', status: 'inactive' }],
    ['/v1/webhook', { name: 'Help desk', url: 'https://hooks.lotus.example/dialtree', events: ['call.missed', 'voicemail.received'], status: 'paused' }],
    ['/v1/token', { name: 'website', expires_in_days: 90 }],
    ['/v1/token', { name: 'nightly export' }],
  ];
  for (const [path, body] of rows) await make(path, body);
}
