// PORT: how calls ask the systems of their accounts over HTTP. service/open-flow-requests.ts has the adapter.
import type { SavedMember } from '../../flow/logic-nodes.ts';
import type { RequestOutcome, SendRequest } from '../../flow/logic-phase.ts';

export interface FlowRequest extends Pick<SendRequest, 'method' | 'url' | 'body' | 'timeoutMs'> {
  readonly accountId: string;
  readonly callId: string;
  /** The id of the record. */
  readonly id: string;
  readonly save: readonly SavedMember[];
  /** Null if it is not signed. */
  readonly sealedSecret: string | null;
}

export interface FlowRequests {
  /** Never rejects, and never repeats the request. */
  send(request: FlowRequest, signal: AbortSignal): Promise<RequestOutcome>;
}

/** Where nothing may be asked, as in tests of other things. */
export const NO_REQUESTS: FlowRequests = {
  send: async () => ({ ok: false, failure: 'refused', detail: 'requests are off' }),
};
