// The stream: the caller talks with a voice bot over a WebSocket, which may set variables and send the caller to one of the
// destinations that are listed. It is connected once: a caller does not wait for a second attempt.

import { ANY_VARIABLE, inTemplate, played, pressed, unasked } from '../facts.ts';
import { assignVariable, fill } from '../filling.ts';
import { resolve } from '../flow.ts';
import { apologise } from '../hang-up.ts';
import { undisclosedStreams } from '../lint/stream.ts';
import type { Ref } from '../node.ts';
import type { NodeRules } from '../rules.ts';
import type { Streaming, StreamNode, StreamOutcome } from '../stream-phase.ts';
import type { Turn } from '../turn.ts';
import { fillUrl, PATH_REFUSED } from '../url-filling.ts';
import { announcementKeyPressed } from './announcement.ts';
import { QUIET_MS } from './request.ts';

/** For the look-up of the name, the connection and the WebSocket's handshake. */
export const CONNECT_MS = 8_000;
/** An end that is not reported by then is lost. */
const MARGIN_MS = 1_000;
/** A conversation of that length is more than a key (call rule 9). */
export const CONVERSATION_MS = 5_000;

function enterStream(turn: Turn, node: StreamNode): Ref | null {
  const { ref, disclosure } = node;
  if (disclosure === null) return open(turn, node);
  const playback = turn.playRecording(ref, disclosure, 'the disclosure');
  turn.to({ name: 'streaming', node: ref, stage: 'disclosing', request: 0, playback, sinceMs: turn.atMs });
  return null;
}

function disclosurePlayed(turn: Turn, phase: Streaming): Ref | null {
  if (phase.stage !== 'disclosing') return null;
  const node = streamAt(turn, phase.node);
  return node ? open(turn, node) : apologise(turn, phase.node, 'destination-missing');
}

function open(turn: Turn, node: StreamNode): Ref | null {
  const { ref } = node;
  const url = fillUrl(turn, ref, node.url);
  if (url === null) return failed(turn, node, 'refused', PATH_REFUSED);
  turn.answer();
  const request = turn.newId();
  const values = node.parameters.map(({ name, value }) => [name, fill(turn, ref, value).value]);
  turn.act({ type: 'open-stream', request, node: ref, url, parameters: Object.fromEntries(values) });
  turn.note(ref, 'stream-connecting', `Connects the caller with ${hostOf(node.url)}.`);
  turn.startTimer('stream', QUIET_MS);
  turn.to({ name: 'streaming', node: ref, stage: 'opening', request, playback: 0, sinceMs: turn.atMs });
  return null;
}

/** Paths and queries may hold what is not for the trail. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#@]*@)?([^/?#]*)/i.exec(url)?.[2] ?? 'the bot';
}

/** Keys go to the bot; those that come before it is there, too, as soon as it is. */
function streamKeyPressed(turn: Turn, phase: Streaming, key: string): null {
  if (phase.stage !== 'talking') return announcementKeyPressed(turn, phase, key);
  turn.act({ type: 'send-stream-key', request: phase.request, key });
  turn.state.hops = 0;
  return null;
}

/** One note for all of them: bots may send many, and values are in the record anyway. */
function setVariables(turn: Turn, node: Ref, values: { readonly [variable: string]: string }): null {
  const set = Object.entries(values).flatMap(([name, value]) => {
    const shown = assignVariable(turn, node, name, { value });
    return shown === null ? [] : [{ name, shown }];
  });
  const [only] = set;
  if (set.length === 1 && only)
    turn.noteVariable(node, 'variable-set', `The variable ${only.name} is now “${only.shown}”.`);
  else if (set.length > 1)
    turn.noteVariable(node, 'variable-set', `The bot set ${set.map(({ name }) => name).join(', ')}.`);
  return null;
}

function opened(turn: Turn, phase: Streaming): Ref | null {
  if (phase.stage !== 'opening') return null;
  stopTone(turn, phase);
  const node = streamAt(turn, phase.node);
  if (!node) return close(turn, phase) ?? apologise(turn, phase.node, 'destination-missing');
  const { request } = phase;
  turn.note(node.ref, 'stream-connected', `The caller is connected with ${hostOf(node.url)}.`);
  turn.startTimer('stream', node.maxSeconds * 1_000);
  turn.to({ ...phase, stage: 'talking', playback: 0, sinceMs: turn.atMs });
  for (const key of turn.state.typedAhead) turn.act({ type: 'send-stream-key', request, key });
  turn.state.typedAhead = '';
  return null;
}

/** Before it is connected it has nothing to ask for. */
function transfer(turn: Turn, phase: Streaming, destination: string): Ref | null {
  const node = streamAt(turn, phase.node);
  if (phase.stage !== 'talking' || !node) return null;
  if (!node.destinations.includes(destination)) {
    const asked = destination.slice(0, 100).toWellFormed();
    turn.note(node.ref, 'stream-refused', `The bot asked for ${asked}, which is not among its destinations.`);
    return null;
  }
  const text = `The bot sends the caller to ${turn.nameOf(destination)}.`;
  turn.note(node.ref, 'stream-transferred', text, { destination });
  close(turn, phase);
  return leave(turn, phase, destination);
}

function streamTimer(turn: Turn, phase: Streaming): Ref | null {
  if (phase.stage === 'opening' && phase.playback === 0) return playTone(turn, phase);
  close(turn, phase);
  const node = streamAt(turn, phase.node);
  if (!node) {
    stopTone(turn, phase);
    return apologise(turn, phase.node, 'destination-missing');
  }
  if (phase.stage === 'opening')
    return ended(turn, phase, { ok: false, failure: 'timeout', detail: 'nothing was reported' });
  const text = `They talked for ${node.maxSeconds} s, which is the longest time. It goes to ${turn.nameOf(node.next)}.`;
  turn.note(node.ref, 'stream-ended', text, { destination: node.next });
  return leave(turn, phase, node.next);
}

/** As while a request waits for its answer. */
function playTone(turn: Turn, phase: Streaming): null {
  const playback = turn.playLoop({ kind: 'system', prompt: 'please-wait' });
  turn.startTimer('stream', CONNECT_MS - QUIET_MS + MARGIN_MS);
  turn.to({ ...phase, playback });
  return null;
}

function stopTone(turn: Turn, { stage, playback }: Streaming): void {
  if (stage === 'opening' && playback !== 0) turn.stopPlaying(playback);
}

const FAILED = {
  timeout: 'no connection came about in time',
  unreachable: 'the server could not be reached',
  refused: 'the address is not allowed',
  status: 'the server did not accept the connection',
  broken: 'the connection broke',
  malformed: 'the bot sent what cannot be read',
  'too-large': 'the bot sent a message that is too large',
  flooding: 'the bot sent more than fits',
  busy: 'too many streams of the account are open',
} as const satisfies Record<Extract<StreamOutcome, { ok: false }>['failure'], string>;

function ended(turn: Turn, phase: Streaming, outcome: StreamOutcome): Ref | null {
  stopTone(turn, phase);
  const node = streamAt(turn, phase.node);
  if (!node) return apologise(turn, phase.node, 'destination-missing');
  if (outcome.ok) {
    const text = `The bot ended the conversation. It goes to ${turn.nameOf(node.next)}.`;
    turn.note(node.ref, 'stream-ended', text, { destination: node.next });
    return leave(turn, phase, node.next);
  }
  return leave(turn, phase, failed(turn, node, outcome.failure, outcome.detail));
}

function failed(turn: Turn, node: StreamNode, failure: keyof typeof FAILED, detail: string): Ref {
  const more = detail === '' ? '' : ` (${detail.slice(0, 100).toWellFormed()})`;
  const text = `The stream failed: ${FAILED[failure]}${more}. It goes to ${turn.nameOf(node.failed)}.`;
  turn.note(node.ref, 'stream-failed', text, { destination: node.failed });
  return node.failed;
}

function leave(turn: Turn, { stage, sinceMs }: Streaming, next: Ref): Ref {
  if (stage === 'talking' && turn.atMs - sinceMs >= CONVERSATION_MS) turn.state.hops = 0;
  return next;
}

function close(turn: Turn, { request }: Streaming): null {
  turn.stopTimer('stream');
  turn.act({ type: 'close-stream', request });
  return null;
}

function streamAt(turn: Turn, ref: Ref): StreamNode | null {
  const node = resolve(turn.flow, ref);
  return node?.kind === 'stream' ? node : null;
}

export const stream: NodeRules<StreamNode, 'streaming'> = {
  enter: enterStream,
  phases: {
    streaming: {
      key: streamKeyPressed,
      played: disclosurePlayed,
      timers: { stream: streamTimer },
      // Before it is opened its number is 0, which no event has.
      on: {
        'stream-opened': opened,
        'stream-transfer': (turn, phase, { destination }) => transfer(turn, phase, destination),
        'stream-variables': (turn, { node }, { values }) => setVariables(turn, node, values),
        'stream-ended': (turn, phase, { outcome }) => {
          turn.stopTimer('stream');
          return ended(turn, phase, outcome);
        },
      },
    },
  },
  edges: ({ destinations, next, failed: broken }) => [
    ...destinations.map((to, index) => pressed(`/destinations/${index}`, to)),
    ...unasked('/next_destination', next),
    ...unasked('/failed_destination', broken),
  ],
  recordings: ({ disclosure }) => played('/disclosure_recording', disclosure),
  uses: ({ url, parameters }) => [
    ...inTemplate('/url', url),
    ...parameters.flatMap(({ name, value }) => inTemplate(`/parameters/${name}`, value)),
  ],
  // A voice bot may set any.
  sets: () => [ANY_VARIABLE],
  serves: () => true,
  lint: [undisclosedStreams],
};
