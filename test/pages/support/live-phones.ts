// Telephones around a service that takes calls: what real callers show on the pages.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/phone/eventually.ts';
import { Phone } from '../../support/phone/phone.ts';
import type { PhoneOptions } from '../../support/phone/phone-options.ts';
import { call as ask, type Service } from '../../support/service.ts';
import type { Company } from './company.ts';

/** Where it takes UDP, as its first line in the log says. */
export function sipOf({ log }: Pick<Service, 'log'>): { host: string; port: number } {
  for (const line of log) {
    const { sip } = JSON.parse(line) as { sip?: string[] };
    const udp = sip?.find((each) => each.startsWith('udp '))?.slice('udp '.length);
    if (!udp) continue;
    const colon = udp.lastIndexOf(':');
    return { host: udp.slice(0, colon), port: Number(udp.slice(colon + 1)) };
  }
  throw new Error('The service takes no calls.');
}

export interface Phones {
  /** The id of the record of a call that is over. */
  readonly past: string;
  close(): void;
}

/** How long the first caller listens, its phone rings, and both talk. */
export interface Pace {
  readonly listenMs: number;
  readonly ringMs: number;
  readonly talkMs: number;
}

/** For pictures. */
const AS_PEOPLE_DO: Pace = { listenMs: 2_500, ringMs: 2_000, talkMs: 4_000 };

/** One call that was answered and is over, one that talks, one that waits, one that listens to the menu. */
export async function ringPhones(service: Service, company: Company, pace = AS_PEOPLE_DO): Promise<Phones> {
  const phones: Phone[] = [];
  const close = (): void => {
    for (const phone of phones) phone.close();
  };
  try {
    return { past: await ring(service, company, phones, pace), close };
  } catch (error) {
    // An open phone would keep the process alive.
    close();
    throw error;
  }
}

async function ring(
  service: Service,
  { numbers, agents }: Company,
  phones: Phone[],
  { listenMs, ringMs, talkMs }: Pace,
): Promise<string> {
  const server = sipOf(service);
  const open = async (options: Partial<PhoneOptions>): Promise<Phone> => {
    const phone = await Phone.open({ server, ...options });
    phones.push(phone);
    return phone;
  };
  // One adviser of those who change journeys is at the phone; the others are not there.
  const { intercom = '', password = '' } = agents[3] ?? {};
  const agentStates = await open({ user: intercom, password });
  await agentStates.register();
  const caller = await open({ user: '+493071234567', displayName: 'Fam. Schäfer' });
  const first = await caller.call(numbers.direct, { headers: [['User-Agent', 'Lindholm X3/4.2']] });
  await first.answered();
  // Keys count from the first packet of the prompt on.
  await eventually(
    () => first.rtp.packets.length > 0,
    {},
    () => 'no prompt was heard',
  );
  await sleep(listenMs);
  await first.pressKeys('2');
  const rung = await agentStates.incoming({ withinMs: 20_000 });
  rung.ring();
  await sleep(ringMs);
  await rung.answer();
  await sleep(talkMs);
  await first.hangUp();
  for (const [index, number] of [numbers.hotline, numbers.hotline, numbers.direct].entries()) {
    const phone = await open({
      user: `+49307700${index}`,
      displayName: ['Priya S.', '', 'Dr. Nkosi'][index] ?? '',
    });
    const call = await phone.call(number);
    if (index === 0) {
      const talking = await agentStates.incoming({ withinMs: 20_000 });
      await talking.answer();
      await call.answered();
    }
  }
  return recordOf(service, '+493071234567');
}

/** It is written down a moment after its end. */
async function recordOf({ url }: Service, caller: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { json } = await ask(url, 'GET', `/v1/call/records?caller=${encodeURIComponent(caller)}&limit=1`);
    if (json.data?.[0]) return json.data[0].id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The call left no record.');
}
