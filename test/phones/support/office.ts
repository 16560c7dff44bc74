// The service that the phones call: a menu that takes its time, one that soon hangs up, and an agent for each SIPp that is to be
// called. Those agents have no phone but a number behind a trunk, so that SIPp is reached without registering.
import { extension, type Pbx, type PbxOptions, startPbx } from '../../support/pbx.ts';
import { toneCoded } from '../../support/phone/tone-recording.ts';
import { freePort } from './program.ts';
import { Sipp, type SippOptions, type SippResult } from './sipp.ts';

export const TONES = toneCoded('welcome', 'brief', 'talk', 'answer');

/** Dialled numbers. */
export const MENU = '100';
export const BRIEF_MENU = '110';

export interface Office<Name extends string> {
  readonly pbx: Pbx;
  /** The number that rings an agent at once; in the menu the agent's key does. */
  readonly numberOf: (agent: Name) => string;
  readonly keyOf: (agent: Name) => string;
  /** SIPp as the agent. */
  agent(agent: Name, options?: Partial<SippOptions>): Promise<Sipp>;
  /** SIPp as a caller, to its end. */
  caller(scenario: string, caller: string, options?: Partial<SippOptions>): Promise<SippResult>;
}

export async function openOffice<const Name extends string>(
  agents: readonly Name[],
  more: PbxOptions = {},
): Promise<Office<Name>> {
  const ports = await Promise.all(agents.map(() => freePort()));
  const indexOf = (agent: Name): number => agents.indexOf(agent);
  const each = <T>(make: (name: Name, index: number) => readonly [string, T]): Record<string, T> =>
    Object.fromEntries(agents.map(make));
  const outside = (index: number): string => `+4930${index}`;
  const pbx = await startPbx({
    ...more,
    recordings: {
      welcome: { hz: TONES.welcome, ms: 90_000 },
      brief: { hz: TONES.brief, ms: 300 },
    },
    menus: {
      main: {
        recording: 'recording||welcome',
        option: agents.map((_, index) => `${index + 1}`),
        destination: agents.map((_, index) => extension(`20${index}`)),
      },
      // The shortest way to a BYE of ours.
      brief: {
        recording: 'recording||brief',
        timeout: 1,
        timeout_tries: 0,
        timeout_recording: 'recording||brief',
      },
    },
    agents: {
      ...each((_, index) => [
        `20${index}`,
        { follow_me_number: outside(index), failover_destination: 'ivr||brief' },
      ]),
      ...more.agents,
    },
    trunks: {
      ...each((name, index) => [
        name,
        { port: ports[index] ?? 0, outbound_prefixes: [{ prefix: outside(index), strip: 0, add: '' }] },
      ]),
      ...more.trunks,
    },
    numbers: {
      [MENU]: 'ivr||main',
      [BRIEF_MENU]: 'ivr||brief',
      ...each((_, index) => [`30${index}`, extension(`20${index}`)]),
      ...more.numbers,
    },
  });
  const { sip: server } = pbx;
  return {
    pbx,
    numberOf: (agent) => `30${indexOf(agent)}`,
    keyOf: (agent) => `${indexOf(agent) + 1}`,
    agent: (agent, options = {}) =>
      Sipp.start({ scenario: agent, server, port: ports[indexOf(agent)] ?? 0, ...options }),
    caller: async (scenario, caller, options = {}) => {
      const keys = { caller, ...options.keys };
      return (await Sipp.start({ scenario, server, ...options, keys })).ended;
    },
  };
}
