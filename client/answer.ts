// What an operation returns: a promise of the answer's body, which gives the headers too where they are asked for.

export interface Answered<T> {
  readonly data: T;
  readonly status: number;
  /** All of them: `headers.get('link')`, `headers.get('deprecation')`. */
  readonly headers: Headers;
  /** The version of the record that was read or written: send it back as `ifMatch`. */
  readonly etag: string | null;
  /** Where a record was created. */
  readonly location: string | null;
  /** The service's log has the request under it. */
  readonly requestId: string | null;
}

export function answered<T>({ status, headers }: Response, data: T): Answered<T> {
  return {
    data,
    status,
    headers,
    etag: headers.get('etag'),
    location: headers.get('location'),
    requestId: headers.get('x-request-id'),
  };
}

/** `await` gives the body; `await ….withHeaders()` gives the body, status and headers. */
export class Answer<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Answer';
  readonly #whole: Promise<Answered<T>>;

  constructor(whole: Promise<Answered<T>>) {
    this.#whole = whole;
  }

  withHeaders(): Promise<Answered<T>> {
    return this.#whole;
  }

  // Made when it is asked for: a second promise that nothing waits for would be an unhandled rejection.
  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#whole.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<E = never>(onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<T | E> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
