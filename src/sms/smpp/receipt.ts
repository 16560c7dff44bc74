// A delivery receipt out of a deliver_sm: by its tagged parameters (SMPP 3.4 §5.3.2), or else by the text that most
// networks write (appendix B): "id:0123 sub:001 dlvrd:001 submit date:… done date:… stat:DELIVRD err:000 text:…".
import type { Receipt, ReceiptState } from '../../domain/sms-message.ts';
import { BodyReader, TAGS } from './pdu.ts';

/** SMPP 3.4 §5.2.28: what message_state counts, and how the text spells it. Those that are under way are no receipt. */
const FINAL: Readonly<Record<string, ReceiptState>> = {
  '2': 'delivered',
  '3': 'failed',
  '4': 'failed',
  '5': 'failed',
  '6': 'delivered',
  '7': 'unknown',
  '8': 'failed',
  DELIVRD: 'delivered',
  EXPIRED: 'failed',
  DELETED: 'failed',
  UNDELIV: 'failed',
  ACCEPTD: 'delivered',
  UNKNOWN: 'unknown',
  REJECTD: 'failed',
};
const MAX_ID = 65;
/** SMPP 3.4 §5.2.12: bits 5 to 2 of esm_class. */
const TYPE_MASK = 0x3c;
const IS_RECEIPT = 0x04;

/** Null for a message from a telephone, a state on the way, or nothing that can be read. */
export function readReceipt(body: Buffer): Receipt | null {
  const reader = new BodyReader(body);
  reader.text(6);
  for (let address = 0; address < 2; address++) {
    reader.octet();
    reader.octet();
    reader.text(21);
  }
  const esmClass = reader.octet();
  reader.octets(2);
  reader.text(17);
  reader.text(17);
  reader.octets(4);
  const short = reader.octets(reader.octet());
  if (reader.fault) return null;
  const tags = reader.tags();
  if ((esmClass & TYPE_MASK) !== IS_RECEIPT) return null;
  const words = (short.length > 0 ? short : (tags.get(TAGS.message_payload) ?? short)).toString('latin1');
  const taggedId = tags.get(TAGS.receipted_message_id)?.toString('latin1').replace(/\0$/, '');
  const taggedState = tags.get(TAGS.message_state)?.[0];
  const gatewayId = taggedId || wordAfter(words, 'id:');
  const word = taggedState === undefined ? wordAfter(words, 'stat:').toUpperCase() : String(taggedState);
  const state = Object.hasOwn(FINAL, word) ? FINAL[word] : undefined;
  if (gatewayId === '' || gatewayId.length > MAX_ID || state === undefined) return null;
  const code = wordAfter(words, 'err:');
  const why = wordAfter(words, 'stat:') || `state ${word}`;
  return { gatewayId, state, error: state === 'delivered' ? null : `${why}${code && `, error ${code}`}` };
}

/** What stands behind the first such label, up to the next blank. */
function wordAfter(text: string, label: string): string {
  const at = text.toLowerCase().indexOf(label);
  if (at < 0) return '';
  const from = at + label.length;
  const end = text.indexOf(' ', from);
  return text.slice(from, end < 0 ? Math.min(text.length, from + MAX_ID) : Math.min(end, from + MAX_ID));
}
