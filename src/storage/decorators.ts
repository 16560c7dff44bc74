// Storage with an addition to some of its methods: methods.ts says which.
import type { Lane } from '../domain/outbox-job.ts';
import {
  type Inputs,
  type Lanes,
  METHODS,
  type Method,
  type Methods,
  type MethodsWith,
  methodsWith,
  type Outputs,
} from './methods.ts';
import type { Actor } from './ports/audit.ts';
import type { Storage } from './storage.ts';

const AUDITED = methodsWith('actor');
const ROUTING = methodsWith('routing');
const QUEUEING = methodsWith('lanes');
const ROWS: { readonly [M in MethodsWith<'lanes'>]: { readonly lanes: Lanes<M> } } = METHODS;

/** Storage in the name of an actor: every change through it writes an audit entry. An actor that a call names itself wins. */
export function acting(storage: Storage, by: Actor): Storage {
  // Inherits the other methods: copying all of them for each request costs more.
  const own: Storage = Object.create(storage);
  const methods: Methods = storage;
  const changed: Record<Method, unknown> = own;
  const act = <M extends MethodsWith<'actor'>>(name: M): void => {
    changed[name] = (input: Inputs[M]): Promise<Outputs[M]> => methods[name]({ by, ...input });
  };
  for (const name of AUDITED) act(name);
  return own;
}

/** Calls `changed` after each write to what calls are routed by, and waits for it. */
export function watched(storage: Storage, changed: () => void | Promise<void>): Storage {
  return afterCommit(storage, ROUTING, changed);
}

/** Wakes the lane of every job that is added, so that it leaves at once. */
export function waking(storage: Storage, wake: (lane: Lane) => void): Storage {
  return afterCommit(storage, QUEUEING, (name, input, output) => {
    for (const lane of ROWS[name].lanes(input, output)) wake(lane);
  });
}

function afterCommit<N extends Method>(
  storage: Storage,
  names: readonly N[],
  committed: <M extends N>(name: M, input: Inputs[M], output: Outputs[M]) => void | Promise<void>,
): Storage {
  // Inherits, as in acting(): a copy would lack what an inheriting storage inherits.
  const copy: Storage = Object.create(storage);
  const methods: Methods = storage;
  const changed: Record<Method, unknown> = copy;
  const wrap = <M extends N>(name: M): void => {
    const write = methods[name];
    changed[name] = async (input: Inputs[M]): Promise<Outputs[M]> => {
      const output = await write(input);
      await committed(name, input, output);
      return output;
    };
  };
  for (const name of names) wrap(name);
  return copy;
}
