// What goes into a draft is answered as what is stored ("updated to version 2"), and with a word that callers do not notice it yet.
import type { Problem } from '../../kinds/problem.ts';
import type { DraftEditor } from '../../storage/drafting.ts';
import { actorOf } from '../account/audit.ts';
import type { ApiRequest, ApiResponse } from './handler.ts';
import { saidMore } from './said-more.ts';

const IN_DRAFT = 'This is in the draft: callers notice nothing until it is published.';

/** The access of one request to the draft. */
export class RequestDraft implements DraftEditor {
  readonly accountId: string;
  readonly editorId: string;
  readonly editorName: string;
  readonly atMs: number;
  #isEdited = false;

  constructor(request: ApiRequest) {
    const { id, name, atMs } = actorOf(request);
    this.accountId = request.account.id;
    this.editorId = id;
    this.editorName = name;
    this.atMs = atMs;
  }

  noteEdit(): void {
    this.#isEdited = true;
  }

  said(outcome: ApiResponse | Problem): ApiResponse | Problem {
    return this.#isEdited ? saidMore(outcome, IN_DRAFT) : outcome;
  }
}
