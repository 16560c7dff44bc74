// The JSON text of a call's record, as it is read through the API. Written by hand, shape by shape: it is made for each call that
// ends, and was most of what a row cost when JSON.stringify made it. The test holds one against the other.

import { isoDate } from '../../domain/iso-date.ts';
import type { TrailEntry } from '../../flow/trail.ts';
import type { CallIdentity } from '../../telephony/ports/call-identity.ts';
import type { WebVisitor } from '../../telephony/ports/web-phone.ts';
import type { LegEncryption } from '../../telephony/telephony.ts';
import type { CallLadderLine } from '../call/call-ladder.ts';
import type { LegRecord } from '../call/ended-leg.ts';
import type { CallbackLink, CallFacts, CallResult, Transfer } from './call-record.ts';

/** Anything that might have to be written otherwise inside of JSON, and some that need not. */
const UNUSUAL = /[^ !#-[\]-~\u00a0-\ud7ff]/;

export function recordText(facts: CallFacts, result: CallResult): string {
  const { startedAtMs } = facts;
  const { end, durationMs, ladder, keys } = result;
  const endedAtMs = Math.round(startedAtMs + durationMs);
  return (
    `{"id":"${facts.id}","call_id":"${facts.id}","sip_call_id":${text(facts.callId)},"direction":"${facts.direction}",` +
    `"caller":${text(facts.caller)},"caller_name":${text(facts.callerName)},"identity":${identityText(facts.identity)},` +
    `"web":${webText(facts.web)},` +
    `"dialled":${text(facts.dialled)},` +
    `"entry":${text(facts.entry)},"started_at":"${isoDate(startedAtMs)}","ended_at":"${isoDate(endedAtMs)}",` +
    `"duration_ms":${Math.round(durationMs)},"wait_ms":${result.waitMs},"ring_ms":${result.ringMs},"talk_ms":${result.talkMs},` +
    `"queue_ms":${result.queueMs},"answered_by":${text(result.answeredBy)},` +
    `"transferred_from":${transferText(facts.transferredFrom ?? null)},` +
    `"transferred_to":${transferText(result.transferredTo)},` +
    `"callback":${callbackText(facts.callback)},` +
    `"recording":${text(result.recording)},"voicemail":${text(result.voicemail)},` +
    variablesText(result.variables) +
    `"end":{"code":"${end.code}","cause":${end.cause},"word":"${end.word}","text":${text(end.text)}},` +
    `"trail":${list(result.trail, trailText)},"legs":${list(result.legs, legText)},` +
    `"keys":${keys.length === 0 ? '[]' : JSON.stringify(keys)},` +
    `"ladder":${list(ladder.lines, ladderText)},"ladder_left_out":${ladder.leftOut},` +
    `"events":${JSON.stringify(result.events)},"events_left_out":${result.eventsLeftOut ?? 0}}`
  );
}

function trailText(entry: TrailEntry): string {
  const { keys, recording, destination, rung, webhook } = entry;
  let line = `{"atMs":${entry.atMs},"node":${text(entry.node)},"code":"${entry.code}","text":${text(entry.text)}`;
  if (keys !== undefined) line += `,"keys":${text(keys)}`;
  if (recording !== undefined) line += `,"recording":${text(recording)}`;
  if (destination !== undefined) line += `,"destination":${text(destination)}`;
  if (rung !== undefined) line += `,"rung":${list(rung, text)}`;
  if (webhook !== undefined) line += `,"webhook":${text(webhook)}`;
  return `${line}}`;
}

function variablesText(variables: CallResult['variables']): string {
  return variables === undefined ? '' : `"variables":${JSON.stringify(variables)},`;
}

/** Rare, so it may cost more. */
function identityText(identity: CallIdentity | undefined): string {
  if (identity === undefined) return 'null';
  const { verstat, attestation, diversions, history } = identity;
  return JSON.stringify({ verstat, attestation, diversions, history });
}

function webText(web: WebVisitor | undefined): string {
  if (web === undefined) return 'null';
  return `{"button":${text(web.button)},"page":${text(web.page)}}`;
}

function callbackText(callback: CallbackLink | undefined): string {
  if (callback === undefined) return 'null';
  return `{"id":"${callback.id}","call_id":"${callback.callId}","attempt":${callback.attempt}}`;
}

function transferText(transfer: Transfer | null): string {
  if (transfer === null) return 'null';
  const { callId, by, attended } = transfer;
  const who = `{"kind":"${by.kind}","id":${text(by.id)},"name":${text(by.name)}}`;
  return `{"call_id":"${callId}","by":${who},"attended":${attended === true}}`;
}

function legText(leg: LegRecord): string {
  const { agent, end, statistics } = leg;
  return (
    `{"role":"${leg.role}","number":${text(leg.number)},` +
    `"agent":${text(agent?.eid ?? null)},"agent_name":${text(agent?.name ?? null)},` +
    `"began_at_ms":${leg.beganMs},"ringing_at_ms":${leg.rangMs},"answered_at_ms":${leg.answeredMs},` +
    `"ended_at_ms":${leg.endedMs},"ended_by":"${end.by}","outcome":"${end.outcome}",` +
    `"status":${end.status},"cause":${end.cause},"reason":${text(end.text)},${statisticsText(statistics)}}`
  );
}

/** A leg that left for another call, or of a killed process, has no statistics. */
function statisticsText(statistics: LegRecord['statistics']): string {
  if (!statistics)
    return (
      '"packets_sent":null,"packets_received":null,"packets_lost":null,"jitter_ms":null,' +
      '"buffer_ms":null,"packets_late":null,"round_trip_ms":null,"one_way":null,' +
      encryptionText(null)
    );
  return (
    `"packets_sent":${statistics.packetsSent},"packets_received":${statistics.packetsReceived},` +
    `"packets_lost":${statistics.packetsLost},"jitter_ms":${numeral(statistics.jitterMs)},` +
    `"buffer_ms":${numeral(statistics.bufferMs)},"packets_late":${statistics.packetsLate},` +
    `"round_trip_ms":${numeral(statistics.roundTripMs ?? Number.NaN)},"one_way":${statistics.oneWay},` +
    encryptionText(statistics.encryption)
  );
}

function encryptionText(encryption: LegEncryption | null): string {
  if (encryption === null) return '"encryption":null,"crypto_suite":null,"keys_over_tls":null';
  if (encryption.by !== 'sdes')
    return `"encryption":"${encryption.by}","crypto_suite":null,"keys_over_tls":null`;
  return `"encryption":"sdes","crypto_suite":${text(encryption.suite)},"keys_over_tls":${encryption.isKeySecret}`;
}

function ladderText(line: CallLadderLine): string {
  const { user_agent, phone } = line;
  const what = `"direction":"${line.direction}","what":${text(line.what)},"transport":${text(line.transport)}`;
  const which = phone === undefined ? '' : `,"phone":${phone}`;
  const who = user_agent === undefined ? '' : `,"user_agent":${text(user_agent)}`;
  return `{"at_ms":${line.at_ms},"leg":${line.leg},${what}${which}${who}}`;
}

function list<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  let all = '';
  for (const item of items) all += all === '' ? textOf(item) : `,${textOf(item)}`;
  return `[${all}]`;
}

function text(value: string | null): string {
  if (value === null) return 'null';
  return UNUSUAL.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** A figure that was measured; JSON has no word for one that could not be. */
function numeral(value: number): string {
  return Number.isFinite(value) ? `${value}` : 'null';
}
