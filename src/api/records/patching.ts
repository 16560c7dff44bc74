// PATCH for any kind of record: a JSON merge patch (RFC 7396) on the record as readers see it, which then goes the way of PUT. So what
// PUT checks, refuses, keeps and writes down is the same here.
import type { RecordKind } from '../../kinds/lists.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { MAX_BODY } from '../http/body.ts';
import type { Handler } from '../http/handler.ts';
import { etagOf, expecting, versionChanged } from '../http/version.ts';
import { type Collection, find, unknownRecord } from './collection.ts';
import { type JsonObject, mergePatch } from './merge-patch.ts';

/** Without If-Match a change that another request came before is made again on the newer record, so often at most. */
const MAX_ATTEMPTS = 10;

export function patching<K extends RecordKind>(of: Collection<K>, put: Handler): Handler {
  return async (request, context) => {
    const expected = expecting(request);
    if (isProblem(expected)) return expected;
    const { bytes, value: patch } = request.body;
    for (let attempt = 1; ; attempt++) {
      const record = await find(of, request, context, attempt > 1);
      if (!record) return unknownRecord(of.kind, of.key);
      if (expected.expectedVersion !== undefined && expected.expectedVersion !== record.version)
        return versionChanged(record.version);
      const shown = of.shown?.(record.data) ?? record.data;
      const value = { ...mergePatch(shown, patch), ...unset(of, patch) };
      const tooLarge = refuseIfTooLarge(value);
      if (tooLarge) return tooLarge;
      const headers = { ...request.headers, 'if-match': etagOf(record.version) };
      const outcome = await put({ ...request, headers, body: { value, bytes, patch } }, context);
      const again =
        isProblem(outcome) &&
        outcome.problem === 'version_changed' &&
        expected.expectedVersion === undefined &&
        attempt < MAX_ATTEMPTS;
      if (!again) return outcome;
    }
  };
}

/** Members that readers do not see stay when they are not sent; null removes them, which PUT is asked for in another way. */
function unset<K extends RecordKind>({ unset: values = {} }: Collection<K>, patch: JsonObject): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => patch[name] === null));
}

/** As large as a body that PUT takes, so that what was read can be sent back. */
function refuseIfTooLarge(value: JsonObject): Problem | null {
  if (Buffer.byteLength(JSON.stringify(value)) <= MAX_BODY) return null;
  return problem('body_too_large', `The changed record would be larger than ${MAX_BODY / 1024} KiB.`);
}
