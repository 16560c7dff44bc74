// The progress of the guide, derived from the account's records, so that steps done elsewhere count; localStorage only says which
// agent, menu and number are meant.

export interface GuideAgent {
  readonly eid: string;
  readonly name: string;
  readonly intercom: string;
}
export interface GuideMenu {
  readonly id: string;
  readonly name: string;
  readonly option: readonly (string | number)[];
  readonly destination: readonly string[];
}
export interface GuideNumber {
  readonly id: string;
  readonly number: string;
  readonly destination: string;
}

export const STEPS = ['agent', 'menu', 'number'] as const;
export type Step = (typeof STEPS)[number];

/** The stored choices, per account. */
export interface Kept {
  readonly agent: string | null;
  readonly menu: string | null;
  readonly number: string | null;
  readonly skipped: readonly Step[];
}
export const NOTHING_KEPT: Kept = { agent: null, menu: null, number: null, skipped: [] };

export interface Progress {
  readonly agent: GuideAgent | null;
  readonly menu: GuideMenu | null;
  readonly number: GuideNumber | null;
  /** The first step that is neither done nor skipped; null: all are. */
  readonly next: Step | null;
}

interface Account {
  readonly agents: readonly GuideAgent[];
  readonly menus: readonly GuideMenu[];
  readonly numbers: readonly GuideNumber[];
}

const leadsTo = (menu: GuideMenu, eid: string): boolean => menu.destination.includes(`extension||${eid}`);

/** The stored choices that still exist; else existing records that fit together. */
export function progressOf({ agents, menus, numbers }: Account, kept: Kept): Progress {
  const kin = numbers.flatMap((number) => {
    const menu = menus.find(({ id }) => number.destination === `ivr||${id}`);
    return menu ? [{ number, menu }] : [];
  });
  const keptAgent = agents.find(({ eid }) => eid === kept.agent) ?? null;
  // Prefers a menu that a number reaches already: the agent can be added to a key.
  const known = kin.find(({ menu }) => !keptAgent || leadsTo(menu, keptAgent.eid)) ?? kin[0] ?? null;
  const menu =
    menus.find(({ id }) => id === kept.menu) ??
    known?.menu ??
    menus.find((one) => (keptAgent ? leadsTo(one, keptAgent.eid) : false)) ??
    null;
  const agent =
    keptAgent ?? agents.find(({ eid }) => menu !== null && leadsTo(menu, eid)) ?? agents[0] ?? null;
  const toMenu = numbers.filter(({ destination }) => menu !== null && destination === `ivr||${menu.id}`);
  const number = toMenu.find(({ id }) => id === kept.number) ?? toMenu[0] ?? null;
  const done: Readonly<Record<Step, boolean>> = {
    agent: agent !== null,
    menu: menu !== null,
    number: number !== null,
  };
  const next = STEPS.find((step) => !done[step] && !kept.skipped.includes(step)) ?? null;
  return { agent, menu, number, next };
}

export type StepState = 'done' | 'waiting' | 'skipped' | 'open';

/** Done is what callers would notice: an agent counts with a phone that answers, a menu with somewhere to go. */
export function stepState(
  step: Step,
  { agent, menu, number }: Pick<Progress, Step>,
  skipped: readonly Step[],
  hasPhone: (eid: string) => boolean,
): StepState {
  const made = { agent, menu, number }[step];
  if (made === null) return skipped.includes(step) ? 'skipped' : 'open';
  if (step === 'agent' && agent && !hasPhone(agent.eid)) return 'waiting';
  return step === 'menu' && menu?.destination.length === 0 ? 'waiting' : 'done';
}

/** Whether a number leads to an existing destination. */
export function leadsAnywhere(
  numbers: readonly GuideNumber[],
  exists: (reference: string) => boolean,
): boolean {
  return numbers.some(({ destination }) => exists(destination));
}

export function readKept(text: string | null): Kept {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null) return NOTHING_KEPT;
    const of = (name: string): string | null => {
      const member: unknown = Reflect.get(value, name);
      return typeof member === 'string' ? member : null;
    };
    const skipped: unknown = Reflect.get(value, 'skipped');
    return {
      agent: of('agent'),
      menu: of('menu'),
      number: of('number'),
      skipped: Array.isArray(skipped) ? STEPS.filter((step) => skipped.includes(step)) : [],
    };
  } catch {
    return NOTHING_KEPT;
  }
}

/** The first of 100, 101, … that no number has. */
export function freeNumber(numbers: readonly GuideNumber[], agents: readonly GuideAgent[]): string {
  const taken = new Set([...numbers.map(({ number }) => number), ...agents.map(({ intercom }) => intercom)]);
  let number = 100;
  while (taken.has(String(number))) number += 1;
  return String(number);
}
