// A call whose SIP dialog is a stand-in: what JsSIP is asked for, and when.
import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';
import { PhoneCall } from './phone-call.ts';
import type { SipCall } from './sip-agent.ts';

class Dialog extends EventEmitter {
  readonly connection = null;
  readonly asked: string[] = [];
  #done: () => void = () => undefined;

  isReadyToReOffer = (): boolean => true;
  unmute = (): void => undefined;
  hold = (_options: object, done: () => void): boolean => this.#ask('hold', done);
  unhold = (_options: object, done: () => void): boolean => this.#ask('unhold', done);

  /** The other side answers the offer that is under way. */
  answered(): void {
    this.#done();
  }

  /** The status that an offer of the other side is refused with; null: it is taken. */
  offered(): number | null {
    let status: number | null = null;
    this.emit('reinvite', {
      reject: ({ status_code }: { status_code: number }) => {
        status = status_code;
      },
    });
    return status;
  }

  #ask(what: string, done: () => void): boolean {
    this.asked.push(what);
    this.#done = done;
    return true;
  }
}

beforeEach(() => {
  vi.stubGlobal(
    'Audio',
    class {
      pause(): void {}
    },
  );
});

const PARTS = { iceServers: () => [], onChange: () => undefined, onLost: () => undefined };

function talking(): { call: PhoneCall; dialog: Dialog } {
  const call = new PhoneCall({ direction: 'in', number: '100', name: '' }, PARTS);
  const dialog = new Dialog();
  call.attach(dialog as unknown as SipCall);
  dialog.emit('accepted', {});
  return { call, dialog };
}

it('rings there until it is answered, unless the other side sends a sound of its own', () => {
  const call = new PhoneCall({ direction: 'out', number: '100', name: '' }, PARTS);
  const dialog = new Dialog();
  call.attach(dialog as unknown as SipCall);
  const after = (response: object): boolean => {
    dialog.emit('progress', { originator: 'remote', response });
    return call.view.isRingingThere;
  };
  expect(call.view.isRingingThere).toBe(false);
  expect(after({ body: '' })).toBe(true);
  expect(after({ body: 'v=0' })).toBe(false);
  expect(after({ body: null })).toBe(true);
  dialog.emit('accepted', {});
  expect(call.view.isRingingThere).toBe(false);
});

it('an offer that crosses one of ours is refused with 491, and the next one is taken (RFC 3261 §14.2)', async () => {
  const { call, dialog } = talking();
  expect(dialog.offered()).toBeNull();
  await call.hold(true);
  expect(dialog.offered()).toBe(491);
  dialog.answered();
  expect(dialog.offered()).toBeNull();
});

it('a call is resumed when its hold has been answered, not before', async () => {
  vi.useFakeTimers();
  try {
    const { call, dialog } = talking();
    await call.hold(true);
    const resumed = call.hold(false);
    await vi.advanceTimersByTimeAsync(500);
    expect(dialog.asked).toEqual(['hold']);
    dialog.answered();
    await vi.advanceTimersByTimeAsync(500);
    await resumed;
    expect(dialog.asked).toEqual(['hold', 'unhold']);
  } finally {
    vi.useRealTimers();
  }
});
