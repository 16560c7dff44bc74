// What expressions of Twilio Studio, such as {{widgets.ask.Digits}}, stand for: variables of our calls, under names that these may have.

import { BUILT_IN_VARIABLES } from '../../flow/variables.ts';
import { SMS_VARIABLES } from '../../kinds/sms-text.ts';
import { CopyNumbers } from './copy-numbers.ts';
import type { ForeignAccount } from './foreign-account.ts';

export interface SavedMember {
  readonly variable: string;
  readonly pointer: string;
}

/** What is known of a call without being set. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['trigger.call.From', 'caller'],
  ['trigger.call.Caller', 'caller'],
  ['contact.channel.address', 'caller'],
  ['trigger.call.CallerName', 'caller_name'],
  ['trigger.call.To', 'dialled'],
  ['trigger.call.Called', 'dialled'],
  ['flow.channel.address', 'dialled'],
  ['trigger.call.CallSid', 'call_id'],
]);
/** Set by a widget, or given with the call. */
const GIVEN = /^(?:flow\.variables|flow\.data|trigger\.request\.parameters)\.([A-Za-z0-9_-]{1,64})$/;
const DIGITS = /^widgets\.([^.\s|]{1,200})\.Digits$/;
const ANSWERED = /^widgets\.([^.\s|]{1,200})\.parsed\.([^\s|]{1,500})$/;
const PART = /\.?([A-Za-z0-9_-]+)|\[([0-9]+)\]|\["([^"\]]+)"\]|\['([^'\]]+)'\]/y;

const EXPRESSION = /\{\{([^{}]{0,1000})\}\}/g;
/** Letters that the number of a copy may take of a name. */
const END = 8;
/** A call carries so many. */
const MAX_SAVED = 50;

export class StudioVariables {
  readonly #account: ForeignAccount;
  /** Names of ours by what they stand for. */
  readonly #names = new Map<string, string>();
  /** Text messages have places of their own. */
  readonly #taken = new Set<string>([...SMS_VARIABLES, ...BUILT_IN_VARIABLES]);
  readonly #copies = new CopyNumbers();
  readonly #saved = new Map<string, SavedMember[]>();
  readonly #digits = new Set<string>();

  constructor(account: ForeignAccount) {
    this.#account = account;
  }

  /** Gathers whose digits are read somewhere. */
  get read(): ReadonlySet<string> {
    return this.#digits;
  }

  /** The variable of these digits. */
  digitsOf(widget: string): string {
    return this.#own(`widgets.${widget}.Digits`, widget);
  }

  /** The variable that a flow sets by this key. */
  named(key: string): string {
    return this.#own(`flow.variables.${key}`, key);
  }

  /** What is read of the answer of a request. It grows as further widgets are read. */
  savedOf(widget: string): readonly SavedMember[] {
    return this.#savedOf(widget);
  }

  /** Null if it has no counterpart. */
  variableOf(expression: string): string | null {
    const plain = expression.trim();
    const builtIn = BUILT_IN.get(plain);
    if (builtIn !== undefined) return builtIn;
    const given = GIVEN.exec(plain)?.[1];
    if (given !== undefined) return this.named(given);
    const gather = DIGITS.exec(plain)?.[1];
    if (gather !== undefined) {
      this.#digits.add(gather);
      return this.digitsOf(gather);
    }
    const [, widget, path] = ANSWERED.exec(plain) ?? [];
    return widget === undefined || path === undefined ? null : this.#member(widget, path);
  }

  /** The text with our variables in it. What has none is empty there, and reported. */
  template(text: string, place: string, max: number): string {
    const filled = text
      .replace(/\{%[^%]{0,2000}%\}/g, (tag) => {
        this.#account.leave(place, `the instruction ${JSON.stringify(tag.slice(0, 80))}`);
        return '';
      })
      .replace(EXPRESSION, (whole, expression: string) => {
        const variable = this.variableOf(expression);
        if (variable === null)
          this.#account.leave(place, `${JSON.stringify(whole.slice(0, 80))}: it is empty`);
        return variable === null ? '' : `{${variable}}`;
      })
      .replaceAll('\0', '');
    if (filled.length > max) this.#account.leave(place, `what is longer than ${max} characters`);
    return filled.slice(0, max).toWellFormed();
  }

  #member(widget: string, path: string): string | null {
    const pointer = pointerOf(path);
    if (pointer === null) return null;
    const saved = this.#savedOf(widget);
    const known = saved.find((each) => each.pointer === pointer);
    if (known) return known.variable;
    if (saved.length >= MAX_SAVED) return null;
    const variable = this.#own(`widgets.${widget}.parsed${pointer}`, `${widget}_${path}`);
    saved.push({ variable, pointer });
    return variable;
  }

  #savedOf(widget: string): SavedMember[] {
    const saved = this.#saved.get(widget) ?? [];
    this.#saved.set(widget, saved);
    return saved;
  }

  #own(source: string, wanted: string): string {
    const known = this.#names.get(source);
    if (known !== undefined) return known;
    const plain = wanted.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
    const begun = /^[a-z]/.test(plain) ? plain : `v_${plain}`;
    const name = this.#copies.free(begun.slice(0, 32 - END), this.#taken, (copy) => {
      const end = copy === 1 ? '' : `_${copy}`;
      return begun.slice(0, 32 - end.length) + end;
    });
    this.#names.set(source, name);
    return name;
  }
}

/** `order.items[0]` → `/order/items/0`; null: another form. */
function pointerOf(path: string): string | null {
  const parts: string[] = [];
  for (let at = 0; at < path.length; ) {
    PART.lastIndex = at;
    const found = PART.exec(path);
    if (!found) return null;
    parts.push(found.slice(1).find((part) => part !== undefined) ?? '');
    at = PART.lastIndex;
  }
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
