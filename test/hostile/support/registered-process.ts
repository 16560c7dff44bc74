// An agent's phone in another namespace: it registers over TCP or UDP, says so, and is there until it is killed.
import { Phone } from '../../support/phone/phone.ts';
import type { PhoneOptions } from '../../support/phone/phone-options.ts';

async function main(): Promise<void> {
  const phone = await Phone.open(JSON.parse(process.argv[2] ?? '') as PhoneOptions);
  const status = await phone.register();
  process.stdout.write(`registered ${status}\n`);
  setInterval(() => undefined, 60_000);
}

void main();
