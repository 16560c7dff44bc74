// Where a node leads to, and what it plays, with the place in its payload that says so.

import type { FlowNode, RecordingId, Ref } from '../node.ts';

export interface Edge {
  readonly pointer: string;
  readonly to: Ref;
  /** Whether the caller has to press something for the call to go there. */
  readonly onInput: boolean;
  /** The call goes there when the called side has hung up. */
  readonly afterTalk?: true;
}

export function edgesOf(node: FlowNode): Edge[] {
  switch (node.kind) {
    case 'menu':
      return [
        ...node.options.map(({ destination }, index) => pressed(`/destination/${index}`, destination)),
        pressed('/invalid_destination', node.invalidDestination),
        { pointer: '/timeout_destination', to: node.timeoutDestination, onInput: false },
      ];
    case 'agent':
      // Most agents are forwarded nowhere.
      if (!node.forwards)
        return [...unasked('/failover_destination', node.failover), ...afterTalk(node.afterCall)];
      return [
        ...unasked('/failover_destination', node.failover),
        ...unasked('/forward_always', node.forwards.always),
        ...unasked('/forward_busy', node.forwards.busy),
        ...unasked('/forward_no_answer', node.forwards.noAnswer),
        ...afterTalk(node.afterCall),
      ];
    case 'number':
    case 'sip-address':
    case 'room':
      return unasked('/failover_destination', node.failover);
    case 'department':
      return [
        ...unasked('/failover_destination', node.failover),
        ...unasked('/full_destination', node.queue?.fullDestination ?? null),
        ...unasked('/timeout_destination', node.queue?.timeoutDestination ?? null),
        ...afterTalk(node.afterCall),
      ];
    case 'announcement':
      return unasked('/destination', node.next);
    case 'hours':
      return [
        ...unasked('/open_destination', node.openDestination),
        ...unasked('/closed_destination', node.closedDestination),
      ];
    case 'collect':
      return [pressed('/next_destination', node.next), ...unasked('/failed_destination', node.failed)];
    case 'request':
      return [
        ...node.choices.flatMap(({ destination }, index) =>
          unasked(`/choices/${index}/destination`, destination),
        ),
        ...unasked('/next_destination', node.next),
        ...unasked('/failed_destination', node.failed),
      ];
    case 'stream':
      return [
        ...node.destinations.map((to, index) => pressed(`/destinations/${index}`, to)),
        ...unasked('/next_destination', node.next),
        ...unasked('/failed_destination', node.failed),
      ];
    case 'switch':
      return [
        ...node.rules.flatMap(({ destination }, index) =>
          unasked(`/rules/${index}/destination`, destination),
        ),
        ...unasked('/otherwise_destination', node.otherwise),
      ];
    case 'message':
      return unasked('/next_destination', node.next);
    case 'voicemail':
    case 'hang-up':
      return [];
    default:
      return node satisfies never;
  }
}

/** The agents of a department: rung by it, but the call does not go on to them. */
export function membersOf(node: FlowNode): Omit<Edge, 'onInput'>[] {
  if (node.kind !== 'department') return [];
  return node.agents.map((to, index) => ({ pointer: `/agents/${index}`, to }));
}

export interface Played {
  readonly pointer: string;
  readonly recording: RecordingId;
}

export function recordingsOf(node: FlowNode): Played[] {
  switch (node.kind) {
    case 'menu':
      return [
        ...played('/recording', node.recording),
        ...played('/invalid_recording', node.invalidRecording),
        ...played('/recording_invalid', node.recordingInvalid),
        ...played('/timeout_retry_recording', node.timeoutRetryRecording),
        ...played('/timeout_recording', node.timeoutRecording),
      ];
    case 'announcement':
    case 'hang-up':
      return played('/recording', node.recording);
    case 'voicemail':
      return played('/greeting', node.greeting);
    case 'department':
      return [
        ...played('/music_on_hold', node.queue?.music ?? node.holdMusic ?? null),
        ...played('/announce_recording', node.queue?.message?.recording ?? null),
        ...played('/callback_recording', node.queue?.callback?.recording ?? null),
      ];
    case 'room':
      return [...played('/pin_recording', node.pinRecording), ...played('/music_on_hold', node.music)];
    case 'collect':
      return [
        ...played('/recording', node.recording),
        ...played('/invalid_recording', node.invalidRecording),
        ...played('/timeout_recording', node.timeoutRecording),
      ];
    case 'request':
      return played('/wait_recording', node.waitRecording);
    case 'stream':
      return played('/disclosure_recording', node.disclosure);
    case 'agent':
    case 'hours':
    case 'number':
    case 'switch':
    case 'message':
    case 'sip-address':
      return [];
    default:
      return node satisfies never;
  }
}

function pressed(pointer: string, to: Ref): Edge {
  return { pointer, to, onInput: true };
}

/** Whoever was called has talked: the caller need not have done anything. */
function afterTalk(to: Ref | undefined): Edge[] {
  return to === undefined
    ? []
    : [{ pointer: '/after_call_destination', to, onInput: false, afterTalk: true }];
}

function unasked(pointer: string, to: Ref | null): Edge[] {
  return to === null ? [] : [{ pointer, to, onInput: false }];
}

function played(pointer: string, recording: RecordingId | null): Played[] {
  return recording === null ? [] : [{ pointer, recording }];
}
