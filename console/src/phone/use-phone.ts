// The phone of an agent, or for one destination, in React.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { client } from '../data/client.ts';
import { Phone, type PhoneView } from './phone.ts';

/** `number`: the agent's own. Several tabs may be open: one of them is the phone (one-tab.ts). */
export const agentPhone = (eid: string, number: string): Phone =>
  new Phone({
    ask: () => client.createPhoneSession({ body: { agent: eid } }),
    owner: `agent ${eid}`,
    storage: localStorage,
    number,
  });

/** Calls `to`, a number of the account or a reference such as ivr||main. */
export const guestPhone = (to: string): Phone =>
  new Phone({ ask: () => client.createPhoneSession({ body: { to } }), owner: `guest ${to}` });

export const usePhoneView = (phone: Phone): PhoneView =>
  useSyncExternalStore(phone.subscribe, () => phone.view);

/** Lives as long as the component. */
export function usePhone(make: () => Phone, key: string): Phone {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what it is made for
  const phone = useMemo(make, [key]);
  useEffect(() => {
    phone.start();
    return () => phone.stop();
  }, [phone]);
  return phone;
}
