// The checks of `dialtree doctor`, in the order of its report.
import type { Config } from '../../config/config.ts';
import { checkAddress } from '../../service/checks/address.ts';
import { checkBrowserPort } from '../../service/checks/browser-port.ts';
import { type Finding, ok, skip } from '../../service/checks/finding.ts';
import { checkClock, checkNode, checkOpenFiles } from '../../service/checks/machine.ts';
import { checkRtpPorts } from '../../service/checks/sound-ports.ts';
import { checkSoundStore } from '../../service/checks/sound-store.ts';
import { checkCertificate } from './certificate.ts';
import { checkData, checkDataFolder, type StoredNumber } from './data.ts';
import { checkMetrics } from './metrics.ts';
import { checkHttpPort, checkMedia, checkSipPorts } from './ports.ts';
import { callRunning, numberToCall } from './running-call.ts';
import { callOurselves } from './self-call.ts';
import { checkSoundCommand } from './sound-command.ts';

/** How the self call is made. */
export interface Wanted {
  readonly isFree: boolean;
  readonly number: string | undefined;
  readonly isCalling: boolean;
}

export interface Report {
  add(...findings: readonly (Finding | null)[]): void;
}

export async function examine(given: Config, wanted: Wanted, report: Report): Promise<void> {
  report.add(ok('configuration', 'Every variable can be used'));
  report.add(checkNode(), checkClock(), checkOpenFiles(given), checkDataFolder(given));
  report.add(checkSoundCommand(given));
  const { findings, numbers, config } = await checkData(given);
  report.add(...findings, await checkSoundStore(config));
  const http = await checkHttpPort(config);
  report.add(http.finding, checkMetrics(config));
  if (config.sip) await examineTelephones(config, wanted, report, numbers, http.isRunning);
  else report.add(skip('telephones', 'SIP=off: the API runs alone, and nobody can call'));
}

async function examineTelephones(
  config: Config,
  wanted: Wanted,
  report: Report,
  numbers: readonly StoredNumber[],
  isHttpOurs: boolean,
): Promise<void> {
  const address = checkAddress(config);
  const certificate = checkCertificate(config);
  report.add(address, certificate);
  const ports = await checkSipPorts(config, isHttpOurs);
  report.add(...ports.findings);
  const browsers = await checkBrowserPort(config, ports.isRunning);
  const sound = await checkRtpPorts(config, ports.isRunning);
  report.add(browsers, sound, await checkMedia(config));
  if (!wanted.isCalling) return;
  const isBroken = [address, certificate, sound].some((finding) => finding?.state === 'fail');
  if (ports.isRunning && !wanted.isFree)
    report.add(await callRunning(config, numberToCall(numbers, wanted.number)));
  else if (isBroken || (!ports.isFree && !wanted.isFree))
    report.add(
      skip('self call', 'Not made: correct what fails above first, or say --ports free if it is the ports.'),
    );
  else report.add(...(await callOurselves(config, wanted.isFree)));
}
