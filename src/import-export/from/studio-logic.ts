// Widgets of Twilio Studio that ask, decide and send → collect, request, switch and message.

import type { RuleOperator } from '../../flow/logic-nodes.ts';
import { MAX_VALUE } from '../../flow/variables.ts';
import { readSipAddress } from '../../kinds/sip-uri.ts';
import { type ForeignAccount, HANGUP } from './foreign-account.ts';
import type { StudioCondition, StudioState } from './studio-flow.ts';
import type { StudioVariables } from './studio-variables.ts';
import { nextOf, widgetName, within } from './studio-widgets.ts';

type Members = { readonly [name: string]: unknown };

const MAX_ROWS = 50;
const MAX_URL = 2_048;
const MAX_SIP_URI = 500;
const MAX_TEXT = 1_000;
const MAX_DIGITS = 32;
const REQUEST_MS = 10_000;

const OPERATORS: Readonly<Record<string, RuleOperator>> = {
  equal_to: 'equals',
  not_equal_to: 'not_equals',
  matches_any_of: 'in',
  is_blank: 'missing',
  is_not_blank: 'exists',
  contains: 'contains',
  starts_with: 'starts_with',
  less_than: 'less',
  greater_than: 'greater',
};
const FIXED_HOST = /^https?:\/\/[^/?#{}\s]+(?:[/?#]|$)/i;
const MEMBER = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

export class StudioLogic {
  readonly #account: ForeignAccount;
  readonly #variables: StudioVariables;
  readonly #destinationOf: (widget: string | null) => string;

  constructor(
    account: ForeignAccount,
    variables: StudioVariables,
    destinationOf: (widget: string | null) => string,
  ) {
    this.#account = account;
    this.#variables = variables;
    this.#destinationOf = destinationOf;
  }

  collect(gather: StudioState, name: string, recording: string): Members {
    const { number_of_digits: most, finish_on_key: finish, timeout } = gather.properties;
    const place = widgetName(gather);
    if (nextOf(gather, 'speech') !== null) this.#account.leave(place, 'what callers say: it takes keys');
    if (finish !== undefined && !['#', '*', ''].includes(String(finish)))
      this.#account.leave(
        place,
        `the key ${JSON.stringify(String(finish).slice(0, 20))} that ends the input: # does`,
      );
    const silent = nextOf(gather, 'timeout');
    // Back to the same question is what its attempts are for.
    const repeats = silent === gather.name;
    return {
      name,
      recording,
      max_digits: within(most, 1, MAX_DIGITS, MAX_DIGITS),
      finish_key: finish === '' || finish === '*' ? finish : '#',
      timeout: within(timeout, 0, 600, 5),
      attempts: repeats ? 3 : 1,
      save_as: this.#variables.digitsOf(gather.name),
      next_destination: this.#destinationOf(nextOf(gather, 'keypress')),
      failed_destination: repeats ? HANGUP : this.#destinationOf(silent),
    };
  }

  /** Null if its host is not fixed. */
  requestUrl(state: StudioState): string | null {
    const place = widgetName(state);
    const url = String(state.properties['url'] ?? '').replace(/[\p{Cc}\s]/gu, '');
    return FIXED_HOST.test(url) ? this.#variables.template(url, place, MAX_URL) : null;
  }

  request(state: StudioState, name: string, url: string): Members {
    const isPost = String(state.properties['method'] ?? 'GET').toUpperCase() === 'POST';
    const pairs = this.#pairs(state);
    return {
      name,
      url: isPost ? url : this.#withQuery(url, pairs, widgetName(state)),
      method: isPost ? 'POST' : 'GET',
      body: isPost ? this.#body(state, pairs) : {},
      timeout_ms: REQUEST_MS,
      save: this.#variables.savedOf(state.name),
      next_destination: this.#destinationOf(nextOf(state, 'success')),
      failed_destination: this.#destinationOf(nextOf(state, 'failed')),
    };
  }

  setting(state: StudioState, name: string): Members {
    const place = widgetName(state);
    const { variables } = state.properties;
    const rows = (Array.isArray(variables) ? variables : []).flatMap((each: unknown) => {
      const { key, value } = isObject(each) ? each : {};
      if (typeof key !== 'string' || key === '') return [];
      const variable = this.#variables.named(key);
      return { variable, value: this.#variables.template(textOf(value), place, MAX_VALUE) };
    });
    return {
      name,
      set: this.#most(rows, place, 'variables'),
      rules: [],
      otherwise_destination: this.#destinationOf(nextOf(state, 'next')),
    };
  }

  split(state: StudioState, name: string): Members {
    const place = widgetName(state);
    const input = String(state.properties['input'] ?? '');
    const set: { readonly variable: string; readonly value: string }[] = [];
    const compared = (text: string): string => {
      const alone = /^\s*\{\{([^{}]{1,1000})\}\}\s*$/.exec(text)?.[1];
      const variable = alone === undefined ? null : this.#variables.variableOf(alone);
      if (variable !== null) return variable;
      // Anything else is put into a variable first.
      const value = this.#variables.template(text, place, MAX_VALUE);
      const known = set.find((each) => each.value === value);
      if (known) return known.variable;
      const own = this.#variables.named(`${state.name} ${set.length + 1}`);
      if (set.length < MAX_ROWS) set.push({ variable: own, value });
      return own;
    };
    const rules = state.transitions
      .filter(({ event }) => event === 'match')
      .flatMap(({ next, conditions }) => {
        const rule = this.#rule(conditions, place);
        if (!rule) return [];
        const { operator, value, input: own } = rule;
        return { variable: compared(own || input), operator, value, destination: this.#destinationOf(next) };
      });
    return {
      name,
      set,
      rules: this.#most(rules, place, 'conditions'),
      otherwise_destination: this.#destinationOf(nextOf(state, 'noMatch')),
    };
  }

  #rule(
    conditions: readonly StudioCondition[],
    place: string,
  ): { readonly operator: RuleOperator; readonly value: string; readonly input: string } | null {
    const [condition] = conditions;
    const operator = condition ? OPERATORS[condition.type] : undefined;
    if (!condition || operator === undefined || conditions.length > 1) {
      const what = condition
        ? `"${condition.type.slice(0, 40)}" ${JSON.stringify(condition.value.slice(0, 60))}`
        : '';
      this.#account.leave(place, `a condition ${what}: switches have none like it`);
      return null;
    }
    const [input = ''] = condition.arguments;
    return { operator, input, value: this.#variables.template(condition.value, place, MAX_VALUE) };
  }

  message(state: StudioState, name: string): Members {
    const place = widgetName(state);
    const { body, to, media_url: media } = state.properties;
    if (typeof media === 'string' && media !== '') this.#account.leave(place, 'its picture: texts have none');
    const [sent, failed] = [nextOf(state, 'sent'), nextOf(state, 'failed')];
    if (failed !== null && failed !== sent)
      this.#account.leave(place, 'what follows when it is not sent: calls go on at once');
    const template = this.#account.nameFor('sms_template', state.name);
    const text = this.#variables.template(textOf(body), place, MAX_TEXT);
    this.#account.add('sms_template', { name: template, text: text || '-' });
    const number = this.#variables.template(textOf(to).replace(/\p{Cc}/gu, ''), place, 200);
    return {
      name,
      sms_template: template,
      ...(number === '' ? {} : { to: number }),
      next_destination: this.#destinationOf(sent),
    };
  }

  /** Null if it has another form than SIP addresses have here. */
  sipUri(state: StudioState): string | null {
    const uri = textOf(state.properties['sip_endpoint'] ?? state.properties['to']).replace(
      /[\p{Cc}\s]/gu,
      '',
    );
    // What is no expression stays: the host must have none.
    const read = readSipAddress(uri.replace(/\{\{[^{}]{0,200}\}\}/g, 'x'));
    if (!read || !readSipAddress(this.#variables.template(uri, widgetName(state), MAX_SIP_URI))) return null;
    this.#account.leave(
      widgetName(state),
      `the leave to call ${read.host}: the operator gives it (SIP_ADDRESS_HOSTS)`,
    );
    return this.#variables.template(uri, widgetName(state), MAX_SIP_URI);
  }

  sipAddress(state: StudioState, name: string, uri: string): Members {
    const place = widgetName(state);
    const { sip_username: user, sip_password: password, timeout } = state.properties;
    if (textOf(password) !== '')
      this.#account.leave(place, 'its password: send it with PUT /v1/sip_address/{id}');
    if (nextOf(state, 'callCompleted') !== null)
      this.#account.leave(place, 'what follows after the call: calls end there');
    return {
      name,
      uri,
      ...(/^[^\s"\\{}\p{Cc}]{1,64}$/u.test(textOf(user)) ? { username: textOf(user) } : {}),
      ring_seconds: within(timeout, 1, 300, 30),
    };
  }

  #pairs(state: StudioState): (readonly [key: string, value: string])[] {
    const { parameters } = state.properties;
    return (Array.isArray(parameters) ? parameters : []).flatMap((each: unknown) => {
      const { key, value } = isObject(each) ? each : {};
      return typeof key === 'string' && key !== '' ? [[key, textOf(value)] as const] : [];
    });
  }

  /** Values of variables are percent-encoded when the request is sent, so what stands between them is encoded here. */
  #withQuery(url: string, pairs: readonly (readonly [string, string])[], place: string): string {
    if (pairs.length === 0) return url;
    const query = pairs.map(([key, value]) => {
      const filled = this.#variables.template(value, place, MAX_VALUE);
      const encoded = filled.replace(/[^{}]+|[{}]/g, (part) =>
        /^[{}]$/.test(part) ? part : encodeURIComponent(part),
      );
      return `${encodeURIComponent(key.toWellFormed())}=${encoded}`;
    });
    const whole = `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`;
    if (whole.length <= MAX_URL) return whole;
    this.#account.leave(place, 'its parameters: the URL would be too long');
    return url;
  }

  #body(state: StudioState, pairs: readonly (readonly [string, string])[]): Members {
    const place = widgetName(state);
    const { body, content_type: type } = state.properties;
    if (String(type ?? '').includes('urlencoded') || pairs.length > 0)
      this.#account.leave(place, 'the form of its body: the members are sent as JSON');
    const members = pairs.length > 0 ? pairs : this.#jsonMembers(textOf(body), place);
    const usable = members.filter(([key]) => MEMBER.test(key));
    if (usable.length < members.length)
      this.#account.leave(place, 'members of its body whose names are no words');
    const kept = this.#most(usable, place, 'members of its body');
    return Object.fromEntries(
      kept.map(([key, value]) => [key, this.#variables.template(value, place, MAX_VALUE)]),
    );
  }

  #jsonMembers(body: string, place: string): (readonly [string, string])[] {
    if (body.trim() === '') return [];
    const read = parsed(body);
    if (!isObject(read)) {
      this.#account.leave(place, 'its body, which is no JSON object');
      return [];
    }
    return Object.entries(read).flatMap(([key, value]) => {
      if (typeof value !== 'object') return [[key, String(value)] as const];
      this.#account.leave(
        place,
        `the member ${JSON.stringify(key.slice(0, 60))} of its body, which is no text`,
      );
      return [];
    });
  }

  #most<T>(rows: readonly T[], place: string, what: string): readonly T[] {
    if (rows.length > MAX_ROWS) this.#account.leave(place, `${what} beyond the first ${MAX_ROWS}`);
    return rows.slice(0, MAX_ROWS);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
