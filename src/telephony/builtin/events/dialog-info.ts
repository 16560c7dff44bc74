// RFC 4235: the calls of a colleague or a parking spot. Always the full state: a phone that missed a NOTIFY needs no other.
import type { WatchedDialog } from '../../ports/watching.ts';
import { escapeXml } from './xml.ts';

/** A phone has as many lamps as keys: the first calls say what its lamp shows. */
const MOST_DIALOGS = 8;
/** The tags in a dialog-info, by which an INVITE with Replaces is known to be made from it. */
export const LAMP_TAG = 'lamp';

export function dialogInfo(dialogs: readonly WatchedDialog[], entity: string, version: number): string {
  const host = entity.slice(entity.lastIndexOf('@') + 1);
  const lines = [
    '<?xml version="1.0"?>',
    `<dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="${version}" state="full" entity="${escapeXml(entity)}">`,
  ];
  for (const dialog of dialogs.slice(0, MOST_DIALOGS)) lines.push(...dialogOf(dialog, entity, host));
  // Phones switch a lamp off by a dialog that has ended, not by one that is missing.
  if (dialogs.length === 0) lines.push('<dialog id="none"><state>terminated</state></dialog>');
  lines.push('</dialog-info>', '');
  return lines.join('\r\n');
}

function* dialogOf(dialog: WatchedDialog, entity: string, host: string): Iterable<string> {
  const { id, state, direction, remote, remoteName, callId } = dialog;
  const tags =
    callId === undefined
      ? ''
      : ` call-id="${escapeXml(callId)}" local-tag="${LAMP_TAG}" remote-tag="${LAMP_TAG}"`;
  yield `<dialog id="${escapeXml(id)}"${tags} direction="${direction}">`;
  yield `<state>${state}</state>`;
  const other = `sip:${encodeURIComponent(remote ?? 'anonymous')}@${host}`;
  const name = remoteName === '' ? '' : ` display="${escapeXml(remoteName)}"`;
  yield `<remote><identity${name}>${escapeXml(other)}</identity><target uri="${escapeXml(other)}"/></remote>`;
  yield `<local><identity>${escapeXml(entity)}</identity><target uri="${escapeXml(entity)}"/></local>`;
  yield '</dialog>';
}
