// One row of the route table.
import type { Handler } from './http/handler.ts';
import type { Reply } from './replies.ts';
import type { Fields } from './schemas/field.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly handler: Handler;
  /** The operationId, unique. */
  readonly id: string;
  readonly does: string;
  readonly replies: readonly Reply[];
  readonly body?: Fields;
  readonly example?: object;
  /** Whether the same fields may come as multipart/form-data, with a file. */
  readonly upload?: true;
  readonly query?: Fields;
  /** Without a token; everything else needs one. */
  readonly open?: true;
  /** A page and its files: not a part of the API, and not in its document. */
  readonly unlisted?: true;
  readonly deprecated?: true;
  /** Headers that are understood beside those of every request. */
  readonly headers?: readonly (
    | 'Idempotency-Key'
    | 'If-Match'
    | 'If-None-Match'
    | 'Last-Event-ID'
    | 'Range'
    | 'Dialtree-Account'
  )[];
}
