// The request: the company's system is asked, once; the answer's members become variables, and its choice decides.

import { inTemplate, played, unasked } from '../facts.ts';
import { fill, setVariable } from '../filling.ts';
import { resolve } from '../flow.ts';
import { apologise } from '../hang-up.ts';
import type { RequestNode } from '../logic-nodes.ts';
import type { Requesting, RequestOutcome } from '../logic-phase.ts';
import type { Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import type { Turn } from '../turn.ts';
import { fillUrl, PATH_REFUSED } from '../url-filling.ts';
import { announcementKeyPressed } from './announcement.ts';

/** Silence up to here sounds like the line itself; then the caller hears that something happens. */
export const QUIET_MS = 700;
/** An answer that is not reported by then is lost. */
const MARGIN_MS = 1_000;

function enterRequest(turn: Turn, node: RequestNode): Ref | null {
  const { ref, method, timeoutMs } = node;
  const url = fillUrl(turn, ref, node.url);
  if (url === null) return failed(turn, node, FAILED.refused, PATH_REFUSED);
  const request = turn.newId();
  const members = node.body.map(({ name, value }) => [name, fill(turn, ref, value).value]);
  const body = method === 'POST' ? JSON.stringify(Object.fromEntries(members)) : null;
  turn.act({ type: 'send-request', request, node: ref, method, url, body, timeoutMs });
  turn.note(ref, 'request-sent', `Asks ${hostOf(node.url)} and waits ${timeoutMs} ms at most.`);
  turn.startTimer('request', QUIET_MS);
  turn.to({ name: 'requesting', node: ref, request, playback: 0 });
  return null;
}

/** Paths and queries may hold what is not for the trail. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#@]*@)?([^/?#]*)/i.exec(url)?.[2] ?? 'the server';
}

function requestTimer(turn: Turn, phase: Requesting): Ref | null {
  const node = requestAt(turn, phase.node);
  if (!node) return apologise(turn, phase.node, 'destination-missing');
  if (phase.playback !== 0)
    return requestAnswered(turn, phase, { ok: false, failure: 'timeout', detail: 'no answer was reported' });
  const { waitRecording } = node;
  const known = waitRecording !== null && turn.flow.recordings.has(waitRecording) ? waitRecording : null;
  const playback =
    known === null ? turn.playLoop({ kind: 'system', prompt: 'please-wait' }) : turn.playMusic(known);
  turn.startTimer('request', Math.max(1, node.timeoutMs - QUIET_MS) + MARGIN_MS);
  turn.to({ ...phase, playback });
  return null;
}

function requestAnswered(turn: Turn, phase: Requesting, outcome: RequestOutcome): Ref | null {
  turn.stopTimer('request');
  if (phase.playback !== 0) turn.stopPlaying(phase.playback);
  const node = requestAt(turn, phase.node);
  if (!node) return apologise(turn, phase.node, 'destination-missing');
  if (!outcome.ok) return failed(turn, node, FAILED[outcome.failure], outcome.detail);
  for (const { variable } of node.save) {
    const value = Object.hasOwn(outcome.values, variable) ? outcome.values[variable] : undefined;
    if (value !== undefined) setVariable(turn, node.ref, variable, { value });
  }
  return choose(turn, node, outcome.choice);
}

/** A choice that is not listed is a mistake of the other side: without one the call goes on. */
function choose(turn: Turn, node: RequestNode, choice: string | null): Ref {
  const chosen = node.choices.find(({ answer }) => answer === choice);
  if (choice !== null && node.choices.length > 0 && !chosen)
    return failed(turn, node, 'its choice is not among those listed', '');
  const next = chosen?.destination ?? node.next;
  turn.note(node.ref, 'request-answered', `The answer leads to ${turn.nameOf(next)}.`, { destination: next });
  return next;
}

const FAILED = {
  timeout: 'no answer came in time',
  unreachable: 'the server could not be reached',
  refused: 'the address is not allowed',
  status: 'the server answered with an error',
  'too-large': 'the answer is too large',
  malformed: 'the answer is malformed',
  busy: 'too many requests of the account wait for an answer',
} as const satisfies Record<Extract<RequestOutcome, { ok: false }>['failure'], string>;

function failed(turn: Turn, node: RequestNode, why: string, detail: string): Ref {
  const more = detail === '' ? '' : ` (${detail.slice(0, 100)})`;
  const text = `The request failed: ${why}${more}. It goes to ${turn.nameOf(node.failed)}.`;
  turn.note(node.ref, 'request-failed', text, { destination: node.failed });
  return node.failed;
}

function requestAt(turn: Turn, ref: Ref): RequestNode | null {
  const node = resolve(turn.flow, ref);
  return node?.kind === 'request' ? node : null;
}

export const request: NodeRules<RequestNode, 'requesting'> = {
  enter: enterRequest,
  phases: {
    requesting: {
      key: announcementKeyPressed,
      // It is looped, or there is none.
      played: () => null,
      timers: { request: requestTimer },
      on: { 'request-answered': (turn, phase, { outcome }) => requestAnswered(turn, phase, outcome) },
    },
  },
  edges: ({ choices, next, failed: broken }) => [
    ...choices.flatMap(({ destination }, index) => unasked(`/choices/${index}/destination`, destination)),
    ...unasked('/next_destination', next),
    ...unasked('/failed_destination', broken),
  ],
  recordings: ({ waitRecording }) => played('/wait_recording', waitRecording),
  uses: ({ url, body }) => [
    ...inTemplate('/url', url),
    ...body.flatMap(({ name, value }) => inTemplate(`/body/${name}`, value)),
  ],
  sets: ({ save }) => save.map(({ variable }) => variable),
  serves: ({ choices, next, failed: broken }, _flow, serves) =>
    [...choices.map(({ destination }) => destination), next, broken].some(serves),
};
