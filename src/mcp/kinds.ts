// The kinds of record that assistants see, and those that they may change.
import { ASSISTANT_KINDS, type AssistantKind, DRAFTED_KINDS } from '../kinds/lists.ts';

export type ToolKindName = AssistantKind;
export const READABLE = ASSISTANT_KINDS;
/** The draft has what an assistant changes until a person publishes it. */
export const DRAFTABLE = READABLE.filter((kind) => DRAFTED_KINDS.has(kind));
