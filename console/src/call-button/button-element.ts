// <dialtree-call-button>: a button that calls, and while it does a small phone: what happens, how long, mute, keypad, hang up. By
// keyboard as by pointer; what happens is said to screen readers.
import { look } from './look.ts';
import { type CallState, WebCall } from './web-call.ts';
import { type ButtonWords, wordsFor } from './words.ts';

export const TAG = 'dialtree-call-button';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];
const HANDSET =
  'M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.25 11.4 11.4 0 0 0 3.6.6 1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1c0 1.2.2 2.5.6 3.6a1 1 0 0 1-.3 1z';
const SVG = 'http://www.w3.org/2000/svg';

/** Where this script came from is where the service is. */
let service = '';
export const setService = (origin: string): void => {
  service = origin;
};

export class CallButton extends HTMLElement {
  #call: WebCall | null = null;
  #view: View | null = null;
  #clock: ReturnType<typeof setInterval> | undefined;
  readonly #leave = (): void => this.#call?.hangUp();

  connectedCallback(): void {
    addEventListener('pagehide', this.#leave);
    if (this.#view) return;
    const language =
      this.getAttribute('lang') ?? this.closest('[lang]')?.getAttribute('lang') ?? navigator.language;
    const words = wordsFor(language);
    const said = (name: keyof ButtonWords): string => this.getAttribute(`label-${name}`) ?? words[name];
    this.#view = new View(this.attachShadow({ mode: 'open' }), said, {
      call: () => this.call(),
      hangUp: () => this.#call?.hangUp(),
      mute: (isMuted) => this.#call?.mute(isMuted),
      press: (key) => this.#call?.press(key),
    });
    this.#view.asksName = this.hasAttribute('ask-name');
    this.#view.name = this.getAttribute('visitor') ?? '';
  }

  disconnectedCallback(): void {
    removeEventListener('pagehide', this.#leave);
    this.#call?.hangUp();
  }

  /** Pages may call it, too: from a click, for browsers ask for the microphone. */
  call(): void {
    if (this.#call || !this.#view) return;
    const key = this.getAttribute('key') ?? '';
    const name = this.#view.name || (this.getAttribute('visitor') ?? '');
    // Without its query, which may have secrets of the visitor: it ends up in records and webhooks.
    const page = this.getAttribute('page') ?? location.origin + location.pathname;
    const options = { service: this.getAttribute('service') ?? service, key, name, page };
    this.#call = new WebCall({ ...options, onState: (state) => this.#became(state) });
  }

  hangUp(): void {
    this.#call?.hangUp();
  }

  #became(state: CallState): void {
    clearInterval(this.#clock);
    if (state.phase === 'ended') this.#call = null;
    this.#view?.show(state);
    if (state.phase === 'talking') {
      const fromMs = Date.now();
      this.#clock = setInterval(() => this.#view?.showTime(Date.now() - fromMs), 1000);
    }
    // For the page's own purposes; `detail` has phase and ending.
    this.dispatchEvent(new CustomEvent('dialtree-call', { bubbles: true, composed: true, detail: state }));
  }
}

interface Actions {
  readonly call: () => void;
  readonly hangUp: () => void;
  readonly mute: (isMuted: boolean) => void;
  readonly press: (key: string) => void;
}

type Said = (name: keyof ButtonWords) => string;

class View {
  readonly #root: ShadowRoot;
  readonly #said: Said;
  readonly #box = element('div', { class: 'box', part: 'box', role: 'group' });
  readonly #start = element('button', { class: 'call', part: 'call', type: 'button' });
  readonly #status = element('p', { class: 'status', part: 'status', role: 'status' });
  readonly #time = element('span', { class: 'time', part: 'time', role: 'timer' });
  readonly #controls = element('div', { class: 'row', part: 'controls' });
  readonly #end = element('button', { class: 'end', part: 'hang-up', type: 'button' });
  readonly #mute = element('button', { part: 'mute', type: 'button', 'aria-pressed': 'false' });
  readonly #more = element('button', {
    part: 'keypad-button',
    type: 'button',
    'aria-expanded': 'false',
    'aria-controls': 'keys',
  });
  readonly #keys = element('div', { class: 'keys', part: 'keypad', id: 'keys', role: 'group' });
  readonly #label = element('label', { part: 'name' });
  readonly #input = element('input', { maxlength: '80', autocomplete: 'name' });
  #asks = false;

  constructor(root: ShadowRoot, said: Said, actions: Actions) {
    this.#root = root;
    this.#said = said;
    root.adoptedStyleSheets = [look()];
    this.#box.setAttribute('aria-label', said('panel'));
    this.#start.append(icon(), said('call'));
    this.#label.append(said('your-name'), this.#input);
    this.#end.append(said('hang-up'));
    this.#mute.append(said('mute'));
    this.#more.append(said('keypad'));
    this.#keys.setAttribute('aria-label', said('keypad'));
    this.#keys.append(...KEYS.map((key) => this.#key(key, actions)));
    const state = element('div', { class: 'row' });
    state.append(this.#status, this.#time);
    this.#controls.append(this.#mute, this.#more, this.#end);
    this.#box.append(this.#label, this.#start, state, this.#controls, this.#keys);
    for (const each of [this.#label, this.#controls, this.#keys, this.#time]) each.hidden = true;
    root.append(this.#box);
    this.#listen(actions);
  }

  set asksName(asks: boolean) {
    this.#label.hidden = !asks;
    this.#asks = asks;
  }

  get name(): string {
    return this.#input.value.trim();
  }
  set name(name: string) {
    this.#input.value = name;
  }

  show(state: CallState): void {
    const isLive = state.phase !== 'ended';
    const focused = this.#root.activeElement;
    this.#box.classList.toggle('live', isLive);
    this.#start.hidden = isLive;
    this.#label.hidden = isLive || !this.#asks;
    this.#controls.hidden = !isLive;
    for (const each of [this.#mute, this.#more]) each.hidden = state.phase !== 'talking';
    this.#time.hidden = state.phase !== 'talking';
    if (state.phase === 'talking') this.showTime(0);
    else this.#showKeys(false);
    if (!isLive) this.#mute.setAttribute('aria-pressed', 'false');
    this.#status.textContent = this.#said(state.phase === 'ended' ? `ended-${state.ending}` : state.phase);
    // What had the focus is gone, which the browser notices later: the next thing to do has it.
    if (focused?.closest('[hidden]')) (isLive ? this.#end : this.#start).focus();
  }

  showTime(ms: number): void {
    const seconds = Math.floor(ms / 1000);
    this.#time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  #listen({ call, hangUp, mute, press }: Actions): void {
    this.#start.onclick = call;
    this.#end.onclick = hangUp;
    this.#mute.onclick = () => {
      const isMuted = this.#mute.getAttribute('aria-pressed') !== 'true';
      this.#mute.setAttribute('aria-pressed', String(isMuted));
      mute(isMuted);
    };
    this.#more.onclick = () => this.#showKeys(this.#keys.hidden === true);
    this.#box.onkeydown = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || this.#controls.hidden) return;
      if (event.key === 'Escape' && !this.#keys.hidden) {
        this.#showKeys(false);
        this.#more.focus();
      } else if (KEYS.includes(event.key)) press(event.key);
    };
  }

  #showKeys(isShown: boolean): void {
    this.#keys.hidden = !isShown;
    this.#more.setAttribute('aria-expanded', String(isShown));
    if (isShown) this.#keys.querySelector('button')?.focus();
  }

  #key(key: string, { press }: Actions): HTMLButtonElement {
    const button = element('button', { type: 'button', part: 'key' });
    button.append(key);
    if (key === '*') button.setAttribute('aria-label', this.#said('star'));
    if (key === '#') button.setAttribute('aria-label', this.#said('hash'));
    button.onclick = () => press(key);
    return button;
  }
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function icon(): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', HANDSET);
  svg.append(path);
  return svg;
}
