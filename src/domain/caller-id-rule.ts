// Which number an outgoing call shows: the first rule that fits it, in the order of their priorities.

import type { CallerIdRule } from '../kinds/caller-id-rule.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { splitReference } from '../kinds/reference.ts';
import { Numbering } from './numbering.ts';

export interface OutgoingCall {
  readonly trunkId: string;
  /** Before the trunk's rules change it. */
  readonly number: string;
  /** Who calls, or whose number to follow is called. */
  readonly eid: string | null;
  readonly caller: string | null;
}

/** An account's rules, ready to be asked for every call that goes out. */
export class CallerIdRules {
  readonly #rules: readonly CallerIdRule[];
  readonly #members: (departmentId: string) => readonly string[];
  readonly #numbering: Numbering;

  /** `members` gives the eids of a department. */
  constructor(
    rules: readonly StoredRecord<CallerIdRule>[],
    members: (departmentId: string) => readonly string[],
    numbering = Numbering.NONE,
  ) {
    this.#rules = rules
      .toSorted((a, b) => a.data.priority - b.data.priority || (a.id < b.id ? -1 : 1))
      .map(({ data }) => data);
    this.#members = members;
    this.#numbering = numbering;
  }

  /** What the call shows; null: nothing. Undefined: no rule fits, so the trunk decides. */
  shown(call: OutgoingCall): string | null | undefined {
    const rule = this.#rules.find((each) => this.#fits(each, call));
    if (!rule) return undefined;
    if (rule.show === 'withhold') return null;
    return rule.show === 'caller' ? call.caller : rule.show;
  }

  #fits({ trunk, agent, department, prefix }: CallerIdRule, call: OutgoingCall): boolean {
    if (trunk !== null && idOf(trunk) !== call.trunkId) return false;
    if (agent !== null && idOf(agent) !== call.eid) return false;
    if (prefix !== null && !this.#beginsWith(prefix, call.number)) return false;
    if (department === null) return true;
    return call.eid !== null && this.#members(idOf(department)).includes(call.eid);
  }

  #beginsWith(prefix: string, number: string): boolean {
    const keys = this.#numbering.wholeKeys(number);
    return this.#numbering.prefixKeys(prefix).some((begin) => keys.some((key) => key.startsWith(begin)));
  }
}

const idOf = (reference: string): string => splitReference(reference).id;
