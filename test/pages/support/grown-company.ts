// Lotus Travel some years later: 60 agents, 12 menus, 8 departments, and eight calls at once. For pictures of pages that are full.
import { setTimeout as sleep } from 'node:timers/promises';
import { Phone } from '../../support/phone/phone.ts';
import { call, type Service } from '../../support/service.ts';
import type { Colleague, Company } from './company.ts';
import { sipOf } from './live-phones.ts';

const AGENTS = 60;
const MENU_COUNT = 12;
const CALLS = 8;
const FIRST = 'Ananya Jonas Chloé Mateo Yuki Farah Lukas Ines Pavel Nadia'.split(' ');
const LAST = 'Sharma Becker Dubois García Sato'.split(' ');
const TEAMS = ['Cruises', 'Groups', 'Night shift', 'Delhi office'];
const DEPARTMENTS = ['Cruises', 'Group journeys', 'Visa service', 'Rail', 'Complaints'];
const MENUS = ['Cruises', 'Groups', 'Visa', 'Rail', 'Complaints', 'Partners', 'Press', 'Jobs'];

export interface Grown {
  readonly company: Company;
  readonly close: () => void;
}

/** Makes what is missing, and calls: the phones ring until `close`. */
export async function growCompany(service: Service, company: Company): Promise<Grown> {
  const { url } = service;
  const make = async (path: string, body: object): Promise<{ id: string; [name: string]: unknown }> => {
    const { status, json, text, headers } = await call(url, 'POST', path, { body });
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    return { id: headers.get('location')?.split('/').at(-1) ?? '', ...json };
  };
  const teams = await Promise.all(TEAMS.map(async (name) => Number((await make('/v1/team', { name })).id)));
  const agents = [...company.agents];
  const missing = AGENTS - Number((await call(url, 'GET', '/v2/agents?limit=500')).json.data.length);
  for (let n = 0; n < missing; n++) {
    const eid = String(200_201 + n);
    const intercom = String(2201 + n);
    const name = `${FIRST[n % FIRST.length]} ${LAST[Math.floor(n / FIRST.length) % LAST.length]}`;
    const made = await make('/v1/agent', { name, eid, intercom, team_id: teams[n % teams.length] });
    agents.push({ eid, intercom, password: String(made['sip_password']) });
  }
  const added = agents.slice(company.agents.length);
  for (const [index, name] of DEPARTMENTS.entries())
    await make('/v1/department', {
      name,
      agents: added.slice(index * 9, index * 9 + 9).map(({ eid }) => eid),
      strategy: 'round_robin',
      queue: true,
      failover_destination: `voicemail||${company.box}`,
    });
  await addMenus(url, make, company);
  await addPeople(url, make);
  const phones: Phone[] = [];
  const close = (): void => {
    for (const phone of phones) phone.close();
  };
  try {
    await callAll(service, company, added, phones);
    await expectFull(url);
  } catch (error) {
    close();
    throw error;
  }
  return { company: { ...company, agents }, close };
}

async function addMenus(
  url: string,
  make: (path: string, body: object) => Promise<unknown>,
  { departments, recording }: Company,
): Promise<void> {
  const { json } = await call(url, 'GET', '/v1/ivrs?limit=500');
  const to = Object.values(departments).map((id) => `department||${id}`);
  for (const [index, name] of MENUS.slice(0, Math.max(0, MENU_COUNT - json.data.length)).entries())
    await make('/v1/ivr', {
      name,
      description: `What callers of ${name} want`,
      recording: `recording||${recording}`,
      option: ['1', '2', '0'],
      destination: [to[index % to.length], to[(index + 1) % to.length], to[0]],
      timeout: 5,
      timeout_tries: 1,
      incorrect_count: 2,
      invalid_recording: `recording||${recording}`,
      timeout_recording: `recording||${recording}`,
      timeout_retry_recording: `recording||${recording}`,
      invalid_destination: to[0],
      timeout_destination: to[0],
    });
}

async function addPeople(url: string, make: (path: string, body: object) => Promise<unknown>): Promise<void> {
  const users = [
    ['Ines Dubois', 'administrator'],
    ['Pavel Becker', 'supervisor'],
    ['Nadia Sharma', 'editor'],
    ['Jonas García', 'viewer'],
  ] as const;
  for (const [name, role] of users)
    await make('/v1/user', { name, role, email: `${role}@lotus-travel.example` });
  const notification_rules = [
    { name: 'Operations', types: ['trunk_down', 'disk_nearly_full'] },
    { name: 'Bookings', types: ['queue_too_long'], waiting: 5, wait_seconds: 120 },
  ];
  const { status, text } = await call(url, 'PATCH', '/v1/settings', { body: { notification_rules } });
  if (status !== 200) throw new Error(`PATCH /v1/settings: ${status} ${text}`);
}

/** What the pictures promise to show. */
async function expectFull(url: string): Promise<void> {
  const [agents, menus, calls] = await Promise.all(
    ['/v2/agents?limit=500', '/v1/ivrs?limit=500', '/v1/live_calls'].map(
      async (path) => (await call(url, 'GET', path)).json.data.length as number,
    ),
  );
  if (agents !== AGENTS || menus !== MENU_COUNT || calls !== CALLS)
    throw new Error(
      `${agents} agents, ${menus} menus and ${calls} calls instead of ${AGENTS}, ${MENU_COUNT}, ${CALLS}.`,
    );
}

const CALLERS = ['Bäckerei Blum', 'Hotel Adler', ''];

/** Five more beside the three of live-phones.ts: one that talks, one that rings, the others in menus and queues. */
async function callAll(
  service: Service,
  { numbers }: Company,
  added: readonly Colleague[],
  phones: Phone[],
): Promise<void> {
  const server = sipOf(service);
  const open = async (options: Partial<Parameters<typeof Phone.open>[0]>): Promise<Phone> => {
    const phone = await Phone.open({ server, ...options });
    phones.push(phone);
    return phone;
  };
  const staff: Phone[] = [];
  for (const { intercom, password } of added.slice(0, 12)) {
    const phone = await open({ user: intercom, password });
    await phone.register();
    staff.push(phone);
  }
  // Colleagues who call each other: one pair talks, one rings.
  for (const index of [0, 1]) {
    const placed = await staff[10 + index]?.call(added[index]?.intercom ?? '');
    const rung = await staff[index]?.incoming({ withinMs: 20_000 });
    rung?.ring();
    if (index > 0) continue;
    await sleep(300);
    await rung?.answer();
    await placed?.answered();
  }
  for (const [index, displayName] of CALLERS.entries()) {
    const caller = await open({ user: `+49307711${index}`, displayName });
    await caller.call(index === 0 ? numbers.hotline : numbers.direct);
  }
}
