// What widgets of Twilio Studio have in common.
import type { StudioState } from './studio-flow.ts';

export const widgetName = ({ name, type }: StudioState): string => `the widget "${name}" (${type})`;

export const nextOf = ({ transitions }: StudioState, event: string): string | null =>
  transitions.find((each) => each.event === event)?.next ?? null;

export function within(value: unknown, least: number, most: number, otherwise: number): number {
  const number = Math.round(Number(value));
  return value === undefined || value === null || value === '' || Number.isNaN(number)
    ? otherwise
    : Math.min(Math.max(number, least), most);
}
