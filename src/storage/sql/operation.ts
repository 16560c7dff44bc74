// A method of the port as SQL: its input and its output are the port's.
import type { Inputs, Method, Outputs } from '../methods.ts';
import type { Tx } from './tx.ts';

export type Operation<M extends Method> = (tx: Tx, input: Inputs[M]) => Promise<Outputs[M]>;
