// Secrets that must be used again, such as the password of a trunk, are stored sealed: without the key, which is not in
// the database, they cannot be read (threat T5).

export interface Sealer {
  /** `place` says whose secret it is: sealed for one record, it cannot be opened for another. */
  seal(secret: string, place: string): string;
  /** Null if it was sealed with another key, or for another place, or was changed since. */
  open(sealed: string, place: string): string | null;
}

export function callPlace(callId: string): string {
  return `running call ${callId}`;
}

/** The place of the text of a mail that holds a secret, until it is sent. */
export function mailPlace(accountId: string, jobId: string): string {
  return `mail ${accountId} ${jobId}`;
}
