// The one tool that callers notice: bound to the difference that was shown, to the linter and the stored tests, and to the person, who
// confirms in a dialog of the client. A client without one publishes nothing: the hash alone proves that an assistant read the difference,
// not that a person did.
import type { Answered, Ask } from './ask.ts';
import { differenceInWords, readDraft } from './difference.ts';
import type { ToolContext, ToolResult } from './tool.ts';

interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly node: string;
  readonly pointer: string;
  readonly message: string;
}

interface Checked {
  readonly findings: readonly Finding[];
  readonly tests: readonly {
    readonly menu: string;
    readonly name: string;
    readonly passed: boolean;
    readonly failed_before: boolean;
  }[];
}

const SHOWN_ERRORS = 10;
/** A hash that no draft has. */
const NO_HASH = '0'.repeat(64);
const IN_CONSOLE = 'The draft waits for the person to publish it in the console, at Draft.';

const refusal = (Message: string, Code: string, more: object = {}): ToolResult => ({
  ok: false,
  value: { Success: false, Message, Code, ...more },
});

export async function publish(
  { hash, reason }: { readonly hash: string; readonly reason: string },
  { ask, confirm }: ToolContext,
): Promise<ToolResult> {
  const barred = confirm ? await refusedOfAny(ask) : null;
  if (barred) return barred;
  const shown = await readDraft(ask);
  if ('refused' in shown) return shown.refused;
  const { draft } = shown;
  if (draft.hash !== hash)
    return refusal(
      'Nothing was published: the draft is not the one that was shown. Call show_difference, and let the person confirm it.',
      'publish_conflict',
    );
  const [check, live] = await Promise.all([ask('checkDraft'), ask('lint')]);
  if (!check.ok) return check;
  const errors = newErrors(check.value as Checked, live);
  if (errors.length > 0)
    return refusal(
      `Nothing was published: the linter finds ${errors.length === 1 ? 'an error' : `${errors.length} errors`}.`,
      'lint_errors',
      { Errors: errors.slice(0, SHOWN_ERRORS) },
    );
  // The service runs them again; a person is not asked to confirm what it would refuse.
  const failed = (check.value as Checked).tests.filter((test) => !test.passed && !test.failed_before);
  if (failed.length > 0)
    return refusal(
      'Nothing was published: stored tests of menus fail. check_draft has them.',
      'tests_failed',
      {
        Tests: failed.slice(0, SHOWN_ERRORS).map(({ menu, name }) => ({ menu, name })),
      },
    );
  const { words, isWhole } = differenceInWords(draft);
  if (!isWhole)
    return refusal(
      `Nothing was published: the difference is too long to be shown whole. ${IN_CONSOLE}`,
      'difference_too_long',
    );
  if (!confirm)
    return refusal(
      `Nothing was published: the person cannot be asked through this connection. ${IN_CONSOLE}`,
      'not_confirmed',
    );
  if (!(await confirm(`Publish these changes to callers?\n\n${words}`)))
    return refusal('Nothing was published: the person did not confirm it.', 'not_confirmed');
  // The service compares the hash again, and runs the stored tests, before it writes all records in one transaction.
  return ask('publishDraft', { body: { reason, hash } });
}

/** Nobody is asked to confirm what the token may not do: the service looks at scopes and role before it compares the hash. */
async function refusedOfAny(ask: Ask): Promise<Answered | null> {
  const answer = await ask('publishDraft', {
    body: { reason: 'whether this may be published', hash: NO_HASH },
  });
  const { Code } = answer.value as { readonly Code?: string };
  return Code === 'publish_conflict' ? null : answer;
}

/** Those that callers meet today are not the draft's. */
function newErrors({ findings }: Checked, live: Answered): Finding[] {
  const keyOf = ({ code, node, pointer }: Finding): string => `${code} ${node} ${pointer}`;
  const present = live.ok ? (live.value as { readonly data: readonly Finding[] }).data : [];
  const known = new Set(present.map(keyOf));
  return findings.filter((finding) => finding.severity === 'error' && !known.has(keyOf(finding)));
}
