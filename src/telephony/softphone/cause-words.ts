// Texts for users: why a call was refused or ended.

/** ITU-T Q.850, the common causes. */
const CAUSES: Readonly<Record<number, string>> = {
  1: 'the number is not in use',
  3: 'no route to the destination',
  16: 'normal clearing',
  17: 'the user is busy',
  18: 'no user responds',
  19: 'nobody answered',
  20: 'the subscriber is absent',
  21: 'the call was rejected',
  22: 'the number has changed',
  26: 'answered by another phone',
  27: 'the destination is out of order',
  28: 'the number is incomplete or wrong',
  31: 'normal, nothing further said',
  34: 'no line is free',
  38: 'the network is out of order',
  41: 'a temporary failure',
  42: 'too much is going on',
  50: 'the service is not subscribed to',
  57: 'this caller may not do that',
  79: 'not implemented',
  88: 'no sound format in common',
  102: 'a timer ran out',
  127: 'something between networks failed',
};

export function causeInWords(cause: number): string {
  return `${CAUSES[cause] ?? 'a cause without a name here'} (Q.850 cause ${cause})`;
}

/** What a refusal means, and what to do; empty: the reason phrase must do. */
export function statusInWords(status: number): string {
  switch (status) {
    case 401:
    case 407:
      return 'The server asks who is calling: give --from <intercom> and --password, and check both.';
    case 403:
      return 'The server does not let this caller call there.';
    case 404:
    case 604:
      return 'Nobody has this number: see GET /v1/numbers, or dial an intercom number with --from and --password.';
    case 408:
      return 'Nothing answers there: is the service running, is the address right, does a firewall drop UDP?';
    case 480:
      return 'Nobody can be reached under this number now.';
    case 486:
    case 600:
      return 'The number is busy.';
    case 488:
      return 'No sound format in common: G.711 (PCMU or PCMA) is needed.';
    case 503:
      return 'The server cannot be reached, takes no calls now, or has reached its limit of calls.';
    case 603:
      return 'The call was declined.';
    default:
      return '';
  }
}
