// The gate of stored tests: a write that breaks a test of a menu is refused before a caller hears it, whichever record it changes. It
// wraps the storage of a request, so that no handler can pass it by. What goes into a draft is tested when it is published.
import type { Settings } from '../../domain/account.ts';
import { flowSettings } from '../../domain/compile.ts';
import { DRAFTED_KINDS } from '../../domain/draft.ts';
import type { DraftChange } from '../../domain/drafted-flow.ts';
import type { RecordKind } from '../../domain/kinds.ts';
import { type Problem, problem } from '../../domain/problem.ts';
import type { RedTest, RedTests } from '../../flow-jobs/job.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import type { ApiContext, ApiRequest, ApiResponse } from '../http/handler.ts';
import { oneOf, optional } from '../schemas/field.ts';

export const TESTS_QUERY = {
  skip_tests: optional(oneOf(['true', 'false'], 'store it even if tests of menus fail'), 'false'),
} as const;

/** What tests of menus may depend on. */
export const TESTED_KINDS: ReadonlySet<RecordKind> = new Set<RecordKind>([
  ...DRAFTED_KINDS,
  'agent',
  'recording',
  'sms_template',
]);

/** Thrown by the storage of a request, and answered with its problem. */
export class BreaksTests extends Error {
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super('A write breaks tests of menus.');
    this.problem = refusal;
  }
}

const UNTESTED =
  ' Tests of menus were not run before this change: there are too many, or the service has too much to do. GET /v1/health names those that fail now.';

export class TestGate {
  readonly #request: ApiRequest;
  readonly #context: Pick<ApiContext, 'flowJobs'>;
  #isWhole = true;

  constructor(request: ApiRequest, context: Pick<ApiContext, 'flowJobs'>) {
    this.#request = request;
    this.#context = context;
  }

  /** Rejects with BreaksTests. What takes longer than a write may wait is stored untested, and the answer says so. */
  async check(changes: readonly DraftChange[], after?: Settings): Promise<void> {
    if (this.#request.query['skip_tests'] === 'true') return;
    if (changes.length > 0 && changes.every(({ kind }) => !TESTED_KINDS.has(kind))) return;
    const { id: accountId, settings } = this.#request.account;
    const red = await this.#run({ accountId, settings, changes, after: after ?? settings });
    if (!red) this.#isWhole = false;
    else if (red.data.length > 0) throw new BreaksTests(refusal(red.data));
    else if (!red.isWhole) this.#isWhole = false;
  }

  async #run(job: {
    readonly accountId: string;
    readonly settings: Settings;
    readonly changes: readonly DraftChange[];
    readonly after: Settings;
  }): Promise<RedTests | null> {
    try {
      const result = await this.#context.flowJobs.run({ kind: 'write', ...job });
      return 'json' in result && result.json !== null ? (JSON.parse(result.json) as RedTests) : null;
    } catch (error) {
      // The write itself says whether the database can be used.
      if (error instanceof StorageError) return null;
      throw error;
    }
  }

  /** With a word about tests that were not run. */
  said(outcome: ApiResponse | Problem): ApiResponse | Problem {
    if (this.#isWhole || !('json' in outcome)) return outcome;
    const { Message: message, ...members } = outcome.json as { readonly Message?: unknown };
    if (typeof message !== 'string') return outcome;
    return { ...outcome, json: { ...members, Message: message + UNTESTED } };
  }
}

function refusal(failing: readonly RedTest[]): Problem {
  const said = failing
    .slice(0, 3)
    .map(({ menu_name: menu, name, differences }) => `"${name}" of ${menu} (${differences.join(' ')})`);
  const more = failing.length > 3 ? ` and ${failing.length - 3} more` : '';
  return problem(
    'tests_failed',
    `Nothing was stored, since tests of menus that pass now would fail: ${said.join(', ')}${more}. Store it all the same with ?skip_tests=true.`,
    { details: { Tests: failing } },
  );
}

/** Storage whose writes pass the gate first. */
export function gated(storage: Storage, gate: TestGate, settings: Settings): Storage {
  // Inherits, as the decorators do.
  const own: Storage = Object.create(storage);
  const check = ({ kind, id, json }: DraftChange): Promise<void> => gate.check([{ kind, id, json }]);
  // A record with a new id is one that no menu leads to yet.
  own.createRecord = async (input) => {
    if (input.isChosen) await check(input);
    return storage.createRecord(input);
  };
  own.updateRecord = async (input) => {
    await check(input);
    return storage.updateRecord(input);
  };
  own.deleteRecord = async (input) => {
    await check({ kind: input.kind, id: input.id, json: null });
    return storage.deleteRecord(input);
  };
  own.restoreDeleted = async (input) => {
    const row = await storage.getDeleted(input);
    if (row) await check({ kind: row.kind, id: row.recordId, json: row.json });
    return storage.restoreDeleted(input);
  };
  own.publish = async (input) => {
    await gate.check(input.changes.map(({ kind, id, json }) => ({ kind, id, json })));
    return storage.publish(input);
  };
  own.changeSettings = async (input) => {
    const after: Settings = { ...settings, ...input.changes };
    const isFlow = JSON.stringify(flowSettings(after)) !== JSON.stringify(flowSettings(settings));
    if (isFlow) await gate.check([], after);
    return storage.changeSettings(input);
  };
  return own;
}
