// Since when an agent has no registered phone, as this node saw it go. Agents are looked at every second (agent-times.ts).
const NEVER_SEEN = null;

export class PhoneAbsences {
  readonly #hasPhone: (agent: string) => boolean;
  readonly #epochMs: () => number;
  /** Agents with a phone when they were last looked at. */
  readonly #present = new Set<string>();
  readonly #goneAtMs = new Map<string, number>();

  constructor(hasPhone: (agent: string) => boolean, epochMs: () => number) {
    this.#hasPhone = hasPhone;
    this.#epochMs = epochMs;
  }

  look(agent: string): void {
    if (this.#hasPhone(agent)) {
      this.#present.add(agent);
      this.#goneAtMs.delete(agent);
    } else if (this.#present.delete(agent)) this.#goneAtMs.set(agent, this.#epochMs());
  }

  forget(agent: string): void {
    this.#present.delete(agent);
    this.#goneAtMs.delete(agent);
  }

  /** Null if a phone is registered, or none was since this node looks. */
  since(agent: string): number | null {
    return this.#goneAtMs.get(agent) ?? NEVER_SEEN;
  }
}
