// What the phone of the console is asked to do, from any page, and the way of its call. Small: pages load it, and the phone itself comes
// when it is needed (dock.tsx).
import { useSyncExternalStore } from 'react';
import type { CallPath } from '../pages/map/overlays/path.ts';

export type ListenMode = 'monitor' | 'whisper' | 'barge';

export type DockRequest =
  /** Asks what to call. */
  | { readonly kind: 'choose' }
  /** As a caller from outside: a menu, a department, a number of the account. */
  | { readonly kind: 'destination'; readonly to: string; readonly name: string }
  /** As an agent. */
  | { readonly kind: 'number'; readonly number: string; readonly name: string }
  | {
      readonly kind: 'listen';
      readonly callId: string;
      readonly agent: string;
      readonly mode: ListenMode;
      /** The number that rings for it; null: withheld. */
      readonly caller: string | null;
      readonly name: string;
    };

export interface DockState {
  readonly request: DockRequest | null;
  /** Another request, another call. */
  readonly round: number;
  /** The page was loaded again during a call: it is taken up, and no other is made. */
  readonly isResumed: boolean;
  /** Only who, how long, and how to end it. */
  readonly isFolded: boolean;
  /** Null if there is no call. */
  readonly path: CallPath | null;
}

const PLACE = 'dialtree.dock';
const KINDS = ['destination', 'number'];

let state: DockState = { request: kept(), round: 0, isResumed: true, isFolded: false, path: null };
const listeners = new Set<() => void>();

/** There was a call when the page was left; the phone itself keeps its dialog (phone/kept-calls.ts). */
function kept(): DockRequest | null {
  try {
    const read = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as DockRequest | null;
    return read !== null && KINDS.includes(read.kind) ? read : null;
  } catch {
    return null;
  }
}

function set(next: DockState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function openDock(request: DockRequest): void {
  sessionStorage.removeItem(PLACE);
  set({ request, round: state.round + 1, isResumed: false, isFolded: false, path: null });
}

export function foldDock(isFolded: boolean): void {
  set({ ...state, isFolded });
}

export function closeDock(): void {
  sessionStorage.removeItem(PLACE);
  set({ ...state, request: null, isResumed: false, path: null });
}

/** While a call goes on: a page that is loaded again takes it up. */
export function keepForReload(isTalking: boolean): void {
  if (isTalking && state.request) sessionStorage.setItem(PLACE, JSON.stringify(state.request));
  else sessionStorage.removeItem(PLACE);
}

export function showPath(path: CallPath | null): void {
  if (state.path !== path) set({ ...state, path });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useDock = (): DockState => useSyncExternalStore(subscribe, () => state);

/** The path of the call that this page makes. */
export const useOwnPath = (): CallPath | null => useSyncExternalStore(subscribe, () => state.path);
