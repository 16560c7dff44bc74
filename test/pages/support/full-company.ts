// The company of the pictures and of the tests that need full pages: 60 agents, 12 menus and 8 calls at once, with a past.
import type { Service } from '../../support/service.ts';
import { type Company, fillCompany } from './company.ts';
import { growCompany } from './grown-company.ts';
import { type Pace, ringPhones } from './live-phones.ts';
import { fillPast, type PastOptions } from './past-calls.ts';

/** The environment of a service whose telephones ring. */
export const FULL_ENV = { SIP: 'on', SIP_PORT: '0' } as const;

/** For tests that only want calls to be there. */
export const AT_ONCE: Pace = { listenMs: 0, ringMs: 0, talkMs: 500 };

export interface FullCompany {
  readonly company: Company;
  /** The id of the record of a call that is over. */
  readonly past: string;
  /** Ends the calls. */
  readonly close: () => void;
}

export async function fillAll(
  service: Service,
  options: PastOptions & { readonly pace?: Pace } = {},
): Promise<FullCompany> {
  const company = await fillCompany(service);
  await fillPast(service, company, options);
  const phones = await ringPhones(service, company, options.pace);
  try {
    const grown = await growCompany(service, company);
    return {
      company: grown.company,
      past: phones.past,
      close: () => {
        phones.close();
        grown.close();
      },
    };
  } catch (error) {
    // An open phone would keep the process alive.
    phones.close();
    throw error;
  }
}
