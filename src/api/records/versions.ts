// Former versions of records whose kind keeps them: listed, and brought back.

import { readRow } from '../../domain/row.ts';
import { KINDS, type RecordKind } from '../../kinds/lists.ts';
import { isProblem, problem } from '../../kinds/problem.ts';
import type { Handler } from '../http/handler.ts';
import { decodeCursor, MAX_PAGE_BYTES, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { addressOf, atHead, type Collection, checkData, replace, unknownRecord } from './collection.ts';
import { writtenRecords } from './listing.ts';
import { inWords } from './warnings.ts';

/** Newest first, the present one among them. */
export function listingVersions<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const query = readQuery(PAGE_QUERY, request);
    if (isProblem(query)) return query;
    const position = decodeCursor(query.cursor);
    if (isProblem(position)) return position;
    const beforeVersion = Number(position[0] ?? Number.MAX_SAFE_INTEGER);
    const address = addressOf(of.kind, request);
    const rows = Number.isSafeInteger(beforeVersion)
      ? await context.storage.listVersions({
          ...address,
          beforeVersion,
          limit: query.limit + 1,
          maxBytes: MAX_PAGE_BYTES,
        })
      : [];
    if (rows.length === 0 && query.cursor === '') return unknownRecord(of.kind);
    return pageResponse(request, `${KINDS[of.kind].path}/${encodeURIComponent(address.id)}/versions`, {
      rows: await writtenRecords(of, rows, request, context),
      limit: query.limit,
      describe: ({ json }) => json,
      position: ({ version }) => [version],
    });
  };
}

/** The old content as a new version: nothing is lost, and a restore can be undone by another. */
export function restoring<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const given = request.params['version'] ?? '';
    const version = versionNumber(given);
    const row =
      version === null ? null : await context.storage.getVersion({ ...addressOf(of.kind, request), version });
    if (!row)
      return problem(
        'record_unknown',
        `There is no such version, or no ${KINDS[of.kind].noun} with this id.`,
      );
    const checked = await checkData(of, readRow(of.kind, row).data, request, context, row.id);
    if (isProblem(checked)) return checked;
    const message = (now: number) =>
      inWords(
        `${atHead(of.kind)} restored: version ${now} has the content of version ${version}`,
        checked.warnings,
      );
    return replace(of, request, context, checked.data, message);
  };
}

/** Null if no version has such a number. */
export function versionNumber(text: string): number | null {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
}
