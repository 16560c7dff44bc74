// Twilio Studio → our export format. Each widget that a call can reach becomes the record that does the same; a gather and the split
// that reads its digits become one menu; studio-logic.ts has the widgets that ask, decide and send. What has no counterpart is
// reported, and calls go on where its success leads.
import { type Converted, ForeignAccount, HANGUP, type NamedKind } from './foreign-account.ts';
import { STUDIO_NOUNS, STUDIO_WIDGETS } from './not-taken-over.ts';
import { readStudioFlow, type StudioFlow, type StudioState } from './studio-flow.ts';
import { StudioLogic } from './studio-logic.ts';
import { StudioVariables } from './studio-variables.ts';
import { nextOf, widgetName, within } from './studio-widgets.ts';

const KEYS = /^[0-9*#]{1,6}$/;
const NUMBER = /^\+?[0-9]{3,32}$/;
const MAX_OPTIONS = 50;

export function fromTwilioStudio(json: unknown): Converted {
  return new StudioImport(readStudioFlow(json)).converted();
}

class StudioImport {
  readonly #flow: StudioFlow;
  readonly #account = new ForeignAccount();
  readonly #variables = new StudioVariables(this.#account);
  readonly #logic = new StudioLogic(this.#account, this.#variables, (name) => this.#destinationOf(name));
  /** Gathers that became menus: the keys pressed there are no variable. */
  readonly #menus = new Set<string>();
  /** Where a call goes that is led to a state: set before what it leads to is looked at, since flows go round. */
  readonly #destinations = new Map<string, string>();
  /** Records to be written: a queue and not a recursion, since a flow may be thousands of states long. */
  readonly #open: (() => void)[] = [];

  constructor(flow: StudioFlow) {
    this.#flow = flow;
  }

  converted(): Converted {
    const { name, initial, states } = this.#flow;
    const trigger = states.get(initial);
    const start = trigger?.type === 'trigger' ? nextOf(trigger, 'incomingCall') : initial;
    const place = `the flow "${name}"`;
    if (start === null) this.#account.leave(place, 'nothing answers calls: its trigger has no incomingCall');
    else {
      const entry = this.#destinationOf(start);
      this.#account.leave(place, `the telephone number: make one that leads to "${entry}"`);
    }
    for (let work = this.#open.shift(); work; work = this.#open.shift()) work();
    for (const state of states.values())
      if (state.type !== 'trigger' && !this.#destinations.has(state.name))
        this.#account.leave(widgetName(state), 'no call reaches it');
    for (const gather of this.#variables.read)
      if (this.#menus.has(gather))
        this.#account.leave(
          `the widget "${gather}"`,
          `the key that was pressed as the variable "${this.#variables.digitsOf(gather)}": menus keep none`,
        );
    return this.#account.converted();
  }

  /** Widgets without a record of their own are passed, one after the other. */
  #destinationOf(name: string | null): string {
    const passed = new Set<string>();
    let found: string | undefined;
    for (let at = name; found === undefined; ) {
      const state = at === null ? undefined : this.#flow.states.get(at);
      // A ring of widgets none of which is taken over ends calls, too.
      if (at === null || passed.has(at)) found = HANGUP;
      else if (this.#destinations.has(at)) found = this.#destinations.get(at);
      else if (!state) found = this.#missing(at);
      else {
        passed.add(at);
        const taken = this.#take(state);
        if (typeof taken === 'string') found = taken;
        else at = taken.goesOnAt;
      }
    }
    for (const each of passed) this.#destinations.set(each, found);
    return found;
  }

  #missing(name: string): string {
    this.#account.leave(
      `the widget "${name}"`,
      'a transition leads to it, and the flow has none of this name: calls end there',
    );
    this.#destinations.set(name, HANGUP);
    return HANGUP;
  }

  #take(state: StudioState): Taken {
    switch (state.type) {
      case 'gather-input-on-call':
        return this.#menu(state);
      case 'say-play':
        return this.#record('announcement', state, (name) => ({
          name,
          recording: this.#prompt(state),
          destination: this.#destinationOf(nextOf(state, 'audioComplete')),
        }));
      case 'record-voicemail':
        return this.#record('voicemail', state, (name) => ({
          name,
          max_seconds: within(state.properties['max_length'], 1, 600, 120),
        }));
      case 'send-to-flex':
      case 'enqueue-call':
        return this.#record('department', state, (name) => {
          this.#account.leave(widgetName(state), `its agents: add them to the department "${name}"`);
          return { name, queue: true, failover_destination: this.#destinationOf(failureOf(state)) };
        });
      case 'connect-call-to':
        return this.#connect(state);
      case 'make-http-request':
        return this.#request(state);
      case 'set-variables':
        return this.#record('switch', state, (name) => this.#logic.setting(state, name));
      case 'split-based-on':
        return this.#record('switch', state, (name) => this.#logic.split(state, name));
      case 'send-message':
        return this.#record('message', state, (name) => this.#logic.message(state, name));
      default:
        return this.#pass(state);
    }
  }

  #record(
    kind: NamedKind,
    state: StudioState,
    make: (name: string) => Readonly<Record<string, unknown>>,
  ): string {
    const name = this.#account.nameFor(kind, state.name);
    this.#open.push(() => this.#account.add(kind, make(name)));
    return `${kind}||${name}`;
  }

  #connect(state: StudioState): Taken {
    const { noun, to } = state.properties;
    const number = String(to ?? '').replace(/[\s().-]/g, '');
    if ((noun === 'number' || noun === undefined) && NUMBER.test(number)) {
      if (nextOf(state, 'callCompleted') !== null)
        this.#account.leave(widgetName(state), 'what follows after the call: calls end there');
      return `number||${number}`;
    }
    if (noun === 'sip') {
      const uri = this.#logic.sipUri(state);
      if (uri !== null)
        return this.#record('sip_address', state, (name) => this.#logic.sipAddress(state, name, uri));
    }
    const reason =
      STUDIO_NOUNS[String(noun)] ??
      `it calls ${JSON.stringify(to ?? null).slice(0, 80)}, which is no single number`;
    this.#account.leave(widgetName(state), reason);
    return { goesOnAt: nextOf(state, 'callCompleted') };
  }

  #request(state: StudioState): Taken {
    const url = this.#logic.requestUrl(state);
    if (url !== null) return this.#record('request', state, (name) => this.#logic.request(state, name, url));
    const next = nextOf(state, 'failed');
    this.#account.leave(
      widgetName(state),
      `its URL does not begin with a host without variables: calls ${next === null ? 'end there' : `go on at "${next}", as after "failed"`}`,
    );
    return { goesOnAt: next };
  }

  #pass(state: StudioState): Taken {
    const { reason, goesOnBy } = STUDIO_WIDGETS[state.type] ?? {
      reason: `widgets of the type "${state.type.slice(0, 60)}" are not known`,
    };
    const next = goesOnBy === undefined ? null : nextOf(state, goesOnBy);
    const how = next === null ? 'calls end there' : `calls go on at "${next}", as after "${goesOnBy}"`;
    this.#account.leave(widgetName(state), `${reason}: ${how}`);
    return { goesOnAt: next };
  }

  #menu(gather: StudioState): Taken {
    const choice = this.#choiceOf(gather);
    if (!choice)
      return this.#record('collect', gather, (name) =>
        this.#logic.collect(gather, name, this.#prompt(gather)),
      );
    this.#menus.add(gather.name);
    if (nextOf(gather, 'speech') !== null)
      this.#account.leave(widgetName(gather), 'what callers say: menus take keys');
    const name = this.#account.nameFor('ivr', gather.name);
    const own = `ivr||${name}`;
    // The split belongs to the menu, and what leads to the split alone leads to the menu.
    this.#destinations.set(gather.name, own);
    this.#destinations.set(choice.split.name, own);
    this.#open.push(() => this.#account.add('ivr', this.#menuRecord(gather, choice, name)));
    return own;
  }

  #menuRecord(
    gather: StudioState,
    { split, options }: Choice,
    name: string,
  ): Readonly<Record<string, unknown>> {
    const recording = this.#prompt(gather);
    const again = (event: string, state: StudioState) => {
      const next = nextOf(state, event);
      // Back to the same menu is what its retries are for.
      const repeats = next === gather.name || next === split.name;
      return { tries: repeats ? 2 : 0, destination: repeats ? HANGUP : this.#destinationOf(next) };
    };
    const [silent, wrong] = [again('timeout', gather), again('noMatch', split)];
    return {
      name,
      description: '',
      recording,
      timeout: within(gather.properties['timeout'], 0, 600, 5),
      option: options.map(({ keys }) => keys),
      destination: options.map(({ next }) => this.#destinationOf(next)),
      incorrect_count: wrong.tries,
      invalid_recording: recording,
      invalid_destination: wrong.destination,
      timeout_retry_recording: recording,
      timeout_recording: recording,
      timeout_destination: silent.destination,
      timeout_tries: silent.tries,
    };
  }

  /** The split that reads the digits of this gather, if it is by keys alone. */
  #choiceOf(gather: StudioState): Choice | null {
    const split = this.#flow.states.get(nextOf(gather, 'keypress') ?? '');
    if (split?.type !== 'split-based-on') return null;
    const input = String(split.properties['input'] ?? '').replace(/[{}\s]/g, '');
    if (input !== `widgets.${gather.name}.Digits`) return null;
    const options = new Map<string, string | null>();
    for (const { event, next, conditions } of split.transitions) {
      if (event !== 'match') continue;
      const keys = conditions.flatMap(keysOf);
      if (keys.length === 0 || conditions.length > 1) return null;
      for (const key of keys) if (!options.has(key)) options.set(key, next);
    }
    if (options.size === 0 || options.size > MAX_OPTIONS) return null;
    return { split, options: [...options].map(([keys, next]) => ({ keys, next })) };
  }

  #prompt(state: StudioState): string {
    const { say, play } = state.properties;
    const how =
      typeof say === 'string' && say !== ''
        ? `of the text ${shortened(say)}`
        : `of ${shortened(String(play ?? 'what it plays'))}`;
    return this.#account.prompt(`studio-${state.name}`, widgetName(state), how);
  }
}

/** A destination, or the widget at which calls go on. */
type Taken = string | { readonly goesOnAt: string | null };

interface Choice {
  readonly split: StudioState;
  readonly options: readonly { readonly keys: string; readonly next: string | null }[];
}

/** None: it is no comparison with keys. */
function keysOf({ type, value }: { readonly type: string; readonly value: string }): string[] {
  if (type !== 'equal_to' && type !== 'matches_any_of') return [];
  const keys = value.split(',').map((each) => each.trim());
  return keys.every((each) => KEYS.test(each)) ? keys : [];
}

const failureOf = (state: StudioState): string | null =>
  nextOf(state, 'callFailure') ?? nextOf(state, 'failedToEnqueue');

const shortened = (text: string): string =>
  JSON.stringify(text.length <= 300 ? text : `${text.slice(0, 300).toWellFormed()}…`);
