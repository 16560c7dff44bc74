// Calls between two threads of the service over a port. Each side offers methods; arguments and results are plain data (structured
// clone). Answers come in any order, and a call that is not answered in time fails.
import type { MessagePort } from 'node:worker_threads';
import { fromPlain, type PlainError, toPlain } from './plain-error.ts';

// biome-ignore lint/suspicious/noExplicitAny: arguments of any method; the caller's side has their types
type Offered = Readonly<Record<string, (...args: any[]) => unknown>>;
/** The methods of an interface that one side offers to the other. */
export type Offers<Methods> = { readonly [Name in keyof Methods]: Methods[Name] };

type Message =
  | { readonly call: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly tell: string; readonly args: readonly unknown[] }
  | { readonly answer: number; readonly value?: unknown; readonly error?: PlainError };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly timer: NodeJS.Timeout;
}

type Functions<Peer> = {
  [Name in keyof Peer]: Peer[Name] extends (...args: never[]) => unknown ? Name : never;
};
type NameOf<Peer> = Extract<Functions<Peer>[keyof Peer], string>;
type ArgsOf<Peer, Name extends keyof Peer> = Peer[Name] extends (...args: infer Args) => unknown
  ? Args
  : never;
type ValueOf<Peer, Name extends keyof Peer> = Peer[Name] extends (...args: never[]) => infer Value
  ? Awaited<Value>
  : never;

export interface LinkOptions {
  /** A method that is told, not called, has thrown. */
  readonly failed: (error: unknown) => void;
  /** What a call without an answer fails with. */
  readonly unanswered: (name: string) => Error;
}

/** `Peer`: the methods that the other side offers. */
export class Link<Peer> {
  readonly #port: MessagePort;
  readonly #options: LinkOptions;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #isClosed = false;

  constructor(port: MessagePort, own: object, options: LinkOptions) {
    this.#port = port;
    this.#options = options;
    port.on('message', (message: Message) => this.#hear(message, own as Offered));
    port.on('close', () => this.#end());
  }

  call<Name extends NameOf<Peer>>(
    name: Name,
    withinMs: number,
    ...args: ArgsOf<Peer, Name>
  ): Promise<ValueOf<Peer, Name>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(this.#options.unanswered(name));
      const id = this.#nextId++;
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(this.#options.unanswered(name));
      }, withinMs);
      // The other side answers with what this method returns.
      this.#waiting.set(id, { resolve: (value) => resolve(value as ValueOf<Peer, Name>), reject, timer });
      this.#post({ call: id, name, args });
    });
  }

  /** Without an answer; in the order of calls. */
  tell<Name extends NameOf<Peer>>(name: Name, ...args: ArgsOf<Peer, Name>): void {
    this.#post({ tell: name, args });
  }

  close(): void {
    this.#port.close();
    this.#end();
  }

  #post(message: Message): void {
    this.#port.postMessage(message);
  }

  #hear(message: Message, own: Offered): void {
    if ('answer' in message) {
      const waiting = this.#waiting.get(message.answer);
      if (!waiting) return;
      this.#waiting.delete(message.answer);
      clearTimeout(waiting.timer);
      if (message.error) waiting.reject(fromPlain(message.error));
      else waiting.resolve(message.value);
    } else if ('tell' in message) void this.#run(own, message.tell, message.args).catch(this.#options.failed);
    else void this.#answer(own, message.call, message.name, message.args);
  }

  async #answer(own: Offered, id: number, name: string, args: readonly unknown[]): Promise<void> {
    try {
      this.#post({ answer: id, value: await this.#run(own, name, args) });
    } catch (error) {
      this.#post({ answer: id, error: toPlain(error) });
    }
  }

  async #run(own: Offered, name: string, args: readonly unknown[]): Promise<unknown> {
    const method = own[name];
    if (!method) throw new Error(`There is no method ${name}.`);
    return method(...args);
  }

  #end(): void {
    this.#isClosed = true;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(this.#options.unanswered('close'));
    }
    this.#waiting.clear();
  }
}
