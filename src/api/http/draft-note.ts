// What goes into a draft is answered as what is stored ("updated to version 2"), and with a word that callers do not notice it yet.
import type { Problem } from '../../kinds/problem.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ApiResponse } from './handler.ts';
import { saidMore } from './said-more.ts';

const IN_DRAFT = 'This is in the draft: callers notice nothing until it is published.';

/** Of one request. */
export class DraftNote {
  #isDrafted = false;

  watching(storage: Storage): Storage {
    // Inherits, as the decorators do.
    const own: Storage = Object.create(storage);
    own.saveDraft = (input) => {
      this.#isDrafted = true;
      return storage.saveDraft(input);
    };
    return own;
  }

  said(outcome: ApiResponse | Problem): ApiResponse | Problem {
    return this.#isDrafted ? saidMore(outcome, IN_DRAFT) : outcome;
  }
}
