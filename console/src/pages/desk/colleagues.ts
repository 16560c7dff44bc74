// Who the extensions are: phones of colleagues say a number, people know names.
import { useMemo } from 'react';
import { useRecords } from '../../data/records.ts';
import type { CallView } from '../../phone/phone-call.ts';

/** By extension. */
export type Colleagues = ReadonlyMap<string, string>;

export function useColleagues(): Colleagues {
  const { items } = useRecords('agent');
  return useMemo(() => new Map(items.map(({ intercom, name }) => [intercom, name])), [items]);
}

export const withName = (call: CallView, colleagues: Colleagues): CallView =>
  call.name === '' ? { ...call, name: colleagues.get(call.number) ?? '' } : call;
