// One tab of the browser is the phone, the others show what it does. The lock is the browser's (Web Locks): it passes on when its tab
// closes. What the phone shows, and what is pressed in other tabs, goes by BroadcastChannel.

export type TabRole = 'waiting' | 'phone' | 'mirror';

export interface OneTabParts<Shown, Order> {
  readonly name: string;
  /** This tab is the phone from now on. */
  readonly onPhone: () => void;
  /** From the tab that is the phone. */
  readonly onShown: (shown: Shown) => void;
  /** From a tab that is not the phone. */
  readonly onOrder: (order: Order) => void;
  /** What new tabs are shown. */
  readonly current: () => Shown;
}

type Message<Shown, Order> =
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'ask' };

export class OneTab<Shown, Order> {
  readonly #parts: OneTabParts<Shown, Order>;
  readonly #channel: BroadcastChannel;
  readonly #leaving = new AbortController();
  #release: () => void = () => undefined;
  #isPhone = false;

  constructor(parts: OneTabParts<Shown, Order>) {
    this.#parts = parts;
    this.#channel = new BroadcastChannel(parts.name);
    this.#channel.onmessage = ({ data }: MessageEvent<Message<Shown, Order>>) => this.#received(data);
    this.#send({ kind: 'ask' });
    void this.#waitForLock();
  }

  get isPhone(): boolean {
    return this.#isPhone;
  }

  show(shown: Shown): void {
    if (this.#isPhone) this.#send({ kind: 'shown', shown });
  }

  order(order: Order): void {
    if (this.#isPhone) this.#parts.onOrder(order);
    else this.#send({ kind: 'order', order });
  }

  close(): void {
    this.#leaving.abort();
    this.#release();
    this.#isPhone = false;
    this.#channel.close();
  }

  async #waitForLock(): Promise<void> {
    const { name, onPhone, current } = this.#parts;
    // What it calls is made by whoever makes this.
    await Promise.resolve();
    // A browser without locks, or a page without TLS: each tab is a phone of its own.
    if (!('locks' in navigator)) {
      this.#isPhone = true;
      return onPhone();
    }
    const held = async (): Promise<void> => {
      if (this.#leaving.signal.aborted) return;
      this.#isPhone = true;
      onPhone();
      this.show(current());
      await new Promise<void>((resolve) => {
        this.#release = resolve;
      });
    };
    await navigator.locks.request(name, { signal: this.#leaving.signal }, held).catch(() => undefined);
  }

  #received(message: Message<Shown, Order>): void {
    const { onShown, onOrder, current } = this.#parts;
    if (message.kind === 'shown' && !this.#isPhone) onShown(message.shown);
    else if (message.kind === 'order' && this.#isPhone) onOrder(message.order);
    else if (message.kind === 'ask' && this.#isPhone) this.show(current());
  }

  #send(message: Message<Shown, Order>): void {
    this.#channel.postMessage(message);
  }
}
