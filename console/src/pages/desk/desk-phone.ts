// The phone of the desk: one tab rings and talks, the others show it and pass on what is pressed. It outlives the page, until its last
// call is over. Without React.
import { OneTab, type TabRole } from '../../phone/one-tab.ts';
import { NO_PHONE, type Phone, type PhoneView } from '../../phone/phone.ts';
import type { PhoneCall } from '../../phone/phone-call.ts';
import { agentPhone } from '../../phone/use-phone.ts';

export interface DeskView {
  readonly role: TabRole;
  readonly phone: PhoneView;
}

/** What is pressed, in whatever tab. */
export type Order =
  | { readonly act: 'call'; readonly number: string; readonly name: string }
  | { readonly act: 'answer' | 'decline' | 'hangUp' | 'dismiss' | 'hold' | 'resume'; readonly call: string }
  | { readonly act: 'mute'; readonly call: string; readonly isMuted: boolean }
  | { readonly act: 'press'; readonly call: string; readonly keys: string }
  | { readonly act: 'transfer'; readonly call: string; readonly number: string }
  | { readonly act: 'join'; readonly call: string; readonly other: string };

const NOTHING: DeskView = { role: 'waiting', phone: NO_PHONE };
/** The page is often opened again at once, as after a look elsewhere. */
const LINGER_MS = 3_000;

export class DeskPhone {
  readonly key: string;
  readonly #phone: Phone;
  readonly #tab: OneTab<PhoneView, Order>;
  readonly #listeners = new Set<() => void>();
  #view = NOTHING;

  constructor(account: string, eid: string, number: string) {
    this.key = keyOf(account, eid);
    this.#phone = agentPhone(eid, number);
    this.#phone.subscribe(() => this.#changed());
    this.#tab = new OneTab<PhoneView, Order>({
      name: `dialtree.desk.${this.key}`,
      onPhone: () => {
        this.#set({ role: 'phone', phone: this.#phone.view });
        this.#phone.start();
      },
      onShown: (phone) => this.#set({ role: 'mirror', phone }),
      onOrder: (order) => carryOut(this.#phone, order),
      current: () => this.#phone.view,
    });
  }

  get view(): DeskView {
    return this.#view;
  }

  get error(): unknown {
    return this.#phone.error;
  }

  get hasCalls(): boolean {
    return this.#phone.calls.some(({ isOver }) => !isOver);
  }

  /** Finds a call of this tab; undefined: another tab has it. */
  find(id: string): PhoneCall | undefined {
    return this.#phone.find(id);
  }

  get calls(): readonly PhoneCall[] {
    return this.#phone.calls;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly order = (order: Order): void => this.#tab.order(order);

  close(): void {
    this.#tab.close();
    this.#phone.stop();
  }

  #changed(): void {
    if (!this.#tab.isPhone) return;
    this.#set({ role: 'phone', phone: this.#phone.view });
    this.#tab.show(this.#phone.view);
  }

  #set(view: DeskView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

const keyOf = (account: string, eid: string): string => `${account}.${eid}`;

function carryOut(phone: Phone, order: Order): void {
  if (order.act === 'call') return void phone.call(order.number, order.name);
  const call = phone.find(order.call);
  if (!call) return;
  switch (order.act) {
    case 'answer':
      return void phone.answer(call);
    case 'decline':
      return call.decline();
    case 'hangUp':
      return call.hangUp();
    case 'dismiss':
      return phone.dismiss(call);
    case 'hold':
      return void call.hold(true);
    case 'resume':
      return void phone.resume(call);
    case 'mute':
      return call.mute(order.isMuted);
    case 'press':
      return call.press(order.keys);
    case 'transfer':
      return call.transfer(order.number);
    case 'join': {
      const other = phone.find(order.other);
      return other && phone.join(call, other);
    }
    default:
      return order satisfies never;
  }
}

let current: DeskPhone | null = null;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** That of the agent: another agent's is closed. */
export function openDesk(account: string, eid: string, number: string): DeskPhone {
  clearTimeout(leaving);
  if (current?.key === keyOf(account, eid)) return current;
  current?.close();
  current = new DeskPhone(account, eid, number);
  return current;
}

/** The page is left: the phone closes when its last call is over. */
export function leaveDesk(desk: DeskPhone): void {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    if (desk.hasCalls) return leaveDesk(desk);
    desk.close();
    if (current === desk) current = null;
  }, LINGER_MS);
}
