// Storage as an object: each method of the port is on one prototype, made from the table of methods, and asks the runner of the object
// that it is called on. So an object of a request costs two members, however many methods there are.
import { type Inputs, METHOD_NAMES, type Method, type Outputs } from './methods.ts';
import type { Storage } from './storage.ts';

export interface Runner<Context> {
  run<M extends Method>(method: M, input: Inputs[M], context: Context): Promise<Outputs[M]>;
}

interface Facade<Context> {
  runner: Runner<Context>;
  context: Context;
}

const PROTOTYPE = Object.fromEntries(
  METHOD_NAMES.map((method) => [
    method,
    function (this: Facade<unknown>, input: Inputs[typeof method]) {
      return this.runner.run(method, input, this.context);
    },
  ]),
);

/** Methods need their object: what is to have other ones inherits from it, since a copy of its own members has none. */
export function storageOf<Context>(runner: Runner<Context>, context: Context): Storage {
  const facade: Storage & Facade<Context> = Object.create(PROTOTYPE);
  facade.runner = runner;
  facade.context = context;
  return facade;
}
