// Which trunks this node registers at. Of several nodes one registers at each trunk, spread evenly; when it is gone, another takes over.
// While the database is away a node goes on with those that it has: a provider must not lose us because of it.
import type { Clock } from '../../kit/clock.ts';
import type { NodeStorage } from '../../storage/ports/nodes.ts';
import type { HeldTrunk, TrunkRegistrationStorage } from '../../storage/ports/trunk-registrations.ts';
import type { Trunk } from '../../telephony/ports/trunk.ts';
import type { Telephony } from '../../telephony/telephony.ts';
import { globalId, splitGlobalId } from './dialling.ts';

export const HOLD_EVERY_MS = 2_000;
/** A node that did not say for so long that it has them is taken to be gone. */
const HOLD_SECONDS = 7;
const SILENT_MS = 5_000;

export interface TrunkOwnersParts {
  readonly storage: TrunkRegistrationStorage & Pick<NodeStorage, 'listNodes'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly node: string;
  readonly stateOf: (id: string) => ReturnType<Telephony['trunkState']> | undefined;
  /** What this node registers at has changed. */
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

export class TrunkOwners {
  readonly #parts: TrunkOwnersParts;
  /** Those that register, of all nodes. */
  #wanted: readonly Trunk[] = [];
  /** By id, as of the last answer. */
  #held: ReadonlyMap<string, HeldTrunk> = new Map();
  #holding: Promise<void> | null = null;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: TrunkOwnersParts) {
    this.#parts = parts;
  }

  /** As this node uses them: it registers at those that it has. */
  assign(trunks: readonly Trunk[]): Trunk[] {
    const before = idsOf(this.#wanted);
    this.#wanted = trunks.filter(({ register }) => register);
    if (idsOf(this.#wanted) !== before) void this.hold();
    return trunks.map((trunk) =>
      trunk.register && !this.isOurs(trunk.id) ? { ...trunk, register: false } : trunk,
    );
  }

  isOurs(id: string): boolean {
    return this.#held.get(id)?.node === this.#parts.node;
  }

  /** The trunk as any node holds it. */
  heldBy(id: string): HeldTrunk | undefined {
    return this.#held.get(id);
  }

  hold(): Promise<void> {
    this.#holding ??= this.#hold()
      .catch(this.#parts.failed)
      .finally(() => {
        this.#holding = null;
        this.#cancel();
        if (!this.#isClosed) this.#cancel = this.#parts.clock.after(HOLD_EVERY_MS, () => void this.hold());
      });
    return this.#holding;
  }

  /** Others take over at once what that node had. */
  async release(node = this.#parts.node): Promise<void> {
    await this.#parts.storage.releaseTrunks({ node });
    if (node !== this.#parts.node) await this.hold();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
    await this.#holding;
    if (this.#wanted.length > 0) await this.release().catch(this.#parts.failed);
  }

  async #hold(): Promise<void> {
    const wanted = this.#wanted;
    if (wanted.length === 0 && this.#held.size === 0) return;
    const { storage, node, stateOf } = this.#parts;
    const nodes = await storage.listNodes();
    const live = nodes.filter(({ state, silentMs }) => state === 'running' && silentMs < SILENT_MS).length;
    const trunks = wanted.map(({ id }) => {
      const { registered, problem } = stateOf(id) ?? { registered: null, problem: null };
      const { accountId, id: trunkId } = splitGlobalId(id);
      return { accountId, trunkId, registered: registered === true, problem };
    });
    const most = Math.ceil(wanted.length / Math.max(1, live));
    const held = await storage.holdTrunks({ node, seconds: HOLD_SECONDS, most, trunks });
    if (this.#isClosed) return;
    const before = this.#ours();
    this.#held = new Map(held.map((each) => [globalId(each.accountId, each.trunkId), each]));
    if (this.#ours() !== before) this.#parts.changed();
  }

  #ours(): string {
    return [...this.#held.keys()].filter((id) => this.isOurs(id)).join(' ');
  }
}

const idsOf = (trunks: readonly Trunk[]): string => trunks.map(({ id }) => id).join(' ');
