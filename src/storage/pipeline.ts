// What is done around each method of the port, by the columns of its row in methods.ts, before it and after it:
//   draft → gate → actor → (a turn to read) → the adapter → lanes → routing
import type { Lane } from '../domain/outbox-job.ts';
import { AccountDraft, type DraftEditor, IN_DRAFT } from './drafting.ts';
import { storageOf } from './facade.ts';
import { type Inputs, type Method, type Methods, type Outputs, ROWS } from './methods.ts';
import type { Actor } from './ports/audit.ts';
import type { Storage } from './storage.ts';

/** What a request brings to every method that it calls. */
export interface StorageContext {
  /** Who changes it: every change writes an audit entry. An actor that a call names itself wins. */
  readonly actor?: Actor | undefined;
  /** Present: writes to records of the flow go into the draft of the account, and reads see them. */
  readonly draft?: DraftEditor | undefined;
  readonly gate?: WriteGate | undefined;
}

/** Carries out writes that may break stored tests of menus, or rejects. */
export interface WriteGate {
  write<M extends Method>(method: M, input: Inputs[M], storage: Storage): Promise<Outputs[M]>;
}

/** Carries out reads when it is their turn. */
export interface ReadTurns {
  read<M extends Method>(method: M, input: Inputs[M], storage: Methods): Promise<Outputs[M]>;
}

/** What a side of the service does around the methods of all requests. */
export interface StorageHooks {
  /** Called after the commit for each lane of the outbox that has new jobs, so that they leave at once. */
  readonly wake?: (lane: Lane) => void;
  /** Called after each write to what calls are routed by, which waits for it. */
  readonly routesChanged?: (() => void | Promise<void>) | undefined;
  readonly turns?: ReadTurns;
}

export class StoragePipeline {
  readonly #adapter: Methods;
  readonly #hooks: StorageHooks;

  constructor(adapter: Storage, hooks: StorageHooks = {}) {
    this.#adapter = adapter;
    this.#hooks = hooks;
  }

  storage(context: StorageContext = {}): Storage {
    return storageOf(this, context);
  }

  run<M extends Method>(method: M, input: Inputs[M], context: StorageContext): Promise<Outputs[M]> {
    const { actor, draft, gate } = context;
    const row = ROWS[method];
    const drafted = IN_DRAFT[method];
    if (draft && drafted) return drafted(new AccountDraft(this.storage({ actor, gate }), draft), input);
    if (gate && row.gate) return gate.write(method, input, this.storage({ actor }));
    const { turns } = this.#hooks;
    if (turns && row.access === 'read') return turns.read(method, input, this.#adapter);
    const isNamed = actor && row.actor && typeof input === 'object';
    const named = isNamed ? { by: actor, ...input } : input;
    return row.lanes || row.routing ? this.#commit(method, named) : this.#adapter[method](named);
  }

  async #commit<M extends Method>(method: M, input: Inputs[M]): Promise<Outputs[M]> {
    const { lanes, routing } = ROWS[method];
    const { wake, routesChanged } = this.#hooks;
    const output = await this.#adapter[method](input);
    if (lanes && wake) for (const lane of lanes(input, output)) wake(lane);
    if (routing && routesChanged) await routesChanged();
    return output;
  }
}
