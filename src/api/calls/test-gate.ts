// The gate of stored tests: a write that breaks a test of a menu is refused before a caller hears it, whichever record it changes. The
// storage of a request asks it, so that no handler can pass it by. What goes into a draft is tested when it is published.
import type { Settings } from '../../domain/account.ts';
import { flowSettings } from '../../domain/compile.ts';
import type { DraftChange } from '../../domain/drafted-flow.ts';
import type { FlowJobs } from '../../flow-jobs/flow-jobs.ts';
import type { RedTest, RedTests, WriteJob } from '../../flow-jobs/job.ts';
import { oneOf, optional } from '../../kinds/field.ts';
import { type RecordKind, TESTED_KINDS } from '../../kinds/lists.ts';
import { type Problem, problem } from '../../kinds/problem.ts';
import { FairGate } from '../../kit/fair-share.ts';
import type { Inputs, Method, Methods, MethodsWith, Outputs } from '../../storage/methods.ts';
import type { WriteGate } from '../../storage/pipeline.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import type { ApiRequest, ApiResponse } from '../http/handler.ts';
import { saidMore } from '../http/said-more.ts';

export const TESTS_QUERY = {
  skip_tests: optional(oneOf(['true', 'false'], 'store it even if tests of menus fail'), 'false'),
} as const;

/** Thrown by the storage of a request, and answered with its problem. */
export class BreaksTests extends Error {
  readonly problem: Problem;

  constructor(refusal: Problem) {
    super('A write breaks tests of menus.');
    this.problem = refusal;
  }
}

const UNTESTED =
  'Not all tests of menus were run before this change: there are too many, or the service has too much to do. GET /v1/health names those that fail now.';

type Write = Omit<WriteJob, 'kind'>;

/** Jobs of writes in the queue of the flow threads, which simulations and lints have, too. */
const RUNS = { total: 8, perAccount: 1 };
/** Writes that wait for that. */
const WAITING = { total: 1000, perAccount: 200 };
/** What a write waits, also behind other jobs of its account. */
const WAIT_MS = 5_000;
/** An account without tests is looked at again after this time: another node, or a command, may have written the first one. */
const UNTESTED_MS = 60_000;
const MAX_UNTESTED = 10_000;

/** What the writes of all requests share. */
export class GateRuns {
  readonly #flowJobs: Pick<FlowJobs, 'run'>;
  readonly #gate = new FairGate(
    RUNS,
    WAITING,
    WAIT_MS,
    () => new StorageError('overloaded', 'tests not run'),
  );
  /** Accounts none of whose menus carries tests, until when. */
  readonly #untested = new Map<string, number>();
  readonly #failed: (error: unknown) => void;
  /** Menus written in all accounts. An answer from before the last one may not know that menu's tests. */
  #menusWritten = 0;

  /** `failed` gets what is a fault of ours: no write is lost for it. */
  constructor(flowJobs: Pick<FlowJobs, 'run'>, failed: (error: unknown) => void) {
    this.#flowJobs = flowJobs;
    this.#failed = failed;
  }

  /** Null if the tests were not run, or not in time. */
  async run(write: Write): Promise<RedTests | null> {
    const { accountId, changes } = write;
    const isMenu = changes.some(({ kind }) => kind === 'ivr');
    if (!isMenu && (this.#untested.get(accountId) ?? 0) > performance.now()) return NOTHING_RED;
    return within(WAIT_MS, this.#ask(write));
  }

  /** Tests may have come with it. */
  wroteMenu(accountId: string): void {
    this.#menusWritten += 1;
    this.#untested.delete(accountId);
  }

  async #ask(write: Write): Promise<RedTests | null> {
    const menusWritten = this.#menusWritten;
    try {
      const job = { kind: 'write', ...write } as const;
      const result = await this.#gate.run(write.accountId, () => this.#flowJobs.run(job));
      if (!('json' in result) || result.json === null) return null;
      const red = JSON.parse(result.json) as RedTests;
      if (red.isUntested && menusWritten === this.#menusWritten) this.#keepUntested(write.accountId);
      return red;
    } catch (error) {
      // The write itself says whether the database can be used.
      if (!(error instanceof StorageError)) this.#failed(error);
      return null;
    }
  }

  #keepUntested(accountId: string): void {
    this.#untested.delete(accountId);
    const [oldest] = this.#untested.keys();
    if (oldest !== undefined && this.#untested.size >= MAX_UNTESTED) this.#untested.delete(oldest);
    this.#untested.set(accountId, performance.now() + UNTESTED_MS);
  }
}

const NOTHING_RED: RedTests = { data: [], isWhole: true, isUntested: true };

async function within<Value>(ms: number, asked: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class TestGate implements WriteGate {
  readonly #request: Pick<ApiRequest, 'account' | 'query'>;
  readonly #runs: GateRuns;
  readonly #passed = new Set<string>();
  #isWhole = true;

  constructor(request: Pick<ApiRequest, 'account' | 'query'>, runs: GateRuns) {
    this.#request = request;
    this.#runs = runs;
  }

  /** Rejects with BreaksTests. What takes longer than a write may wait is stored untested, and the answer says so. */
  async check(changes: readonly DraftChange[], after?: Settings): Promise<void> {
    if (this.#request.query['skip_tests'] === 'true') return;
    if (changes.length > 0 && changes.every(({ kind }) => !TESTED_KINDS.has(kind))) return;
    const { id: accountId, settings } = this.#request.account;
    const asked = JSON.stringify([changes, after]);
    if (this.#passed.has(asked)) return;
    const red = await this.#runs.run({ accountId, settings, changes, after: after ?? settings });
    if (red && red.data.length > 0) throw new BreaksTests(refusal(red.data));
    if (!red?.isWhole) this.#isWhole = false;
    this.#passed.add(asked);
  }

  write<M extends Method>(method: M, input: Inputs[M], storage: Storage): Promise<Outputs[M]> {
    const methods: Methods = storage;
    const write = GATED[method];
    return write ? write(this, input, storage) : methods[method](input);
  }

  get settings(): Settings {
    return this.#request.account.settings;
  }

  /** The output of a write of these kinds. */
  async after<Output>(kinds: readonly RecordKind[], write: Promise<Output>): Promise<Output> {
    try {
      return await write;
    } finally {
      if (kinds.includes('ivr')) this.#runs.wroteMenu(this.#request.account.id);
    }
  }

  /** With a word about tests that were not run. */
  said(outcome: ApiResponse | Problem): ApiResponse | Problem {
    return this.#isWhole ? outcome : saidMore(outcome, UNTESTED);
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

type Gated<M extends Method> = (gate: TestGate, input: Inputs[M], storage: Storage) => Promise<Outputs[M]>;

const WRITES: { readonly [M in MethodsWith<'gate'>]: Gated<M> } = {
  // A record with a new id is one that no menu leads to yet; agents are called by their eid, which may be chosen.
  createRecord: async (gate, input, storage) => {
    if (input.isChosen || input.kind === 'agent') await gate.check([changeOf(input)]);
    return gate.after([input.kind], storage.createRecord(input));
  },
  updateRecord: async (gate, input, storage) => {
    await gate.check([changeOf(input)]);
    return gate.after([input.kind], storage.updateRecord(input));
  },
  deleteRecord: async (gate, input, storage) => {
    await gate.check([{ kind: input.kind, id: input.id, json: null }]);
    return storage.deleteRecord(input);
  },
  restoreDeleted: async (gate, input, storage) => {
    const row = await storage.getDeleted(input);
    if (row) await gate.check([{ kind: row.kind, id: row.recordId, json: row.json }]);
    return gate.after(row ? [row.kind] : [], storage.restoreDeleted(input));
  },
  publish: async (gate, input, storage) => {
    await gate.check(input.changes.map(changeOf));
    const kinds = input.changes.map(({ kind }) => kind);
    return gate.after(kinds, storage.publish(input));
  },
  changeSettings: async (gate, input, storage) => {
    const { settings } = gate;
    const after: Settings = { ...settings, ...input.changes };
    const isFlow = JSON.stringify(flowSettings(after)) !== JSON.stringify(flowSettings(settings));
    if (isFlow) await gate.check([], after);
    return storage.changeSettings(input);
  },
};

const GATED: { readonly [M in Method]?: Gated<M> } = WRITES;

const changeOf = ({ kind, id, json }: DraftChange): DraftChange => ({ kind, id, json });

const runsOf = new WeakMap<Pick<FlowJobs, 'run'>, GateRuns>();

/** One for all routes of a service. */
export function gateRunsOf(flowJobs: Pick<FlowJobs, 'run'>, failed: (error: unknown) => void): GateRuns {
  const known = runsOf.get(flowJobs) ?? new GateRuns(flowJobs, failed);
  runsOf.set(flowJobs, known);
  return known;
}
