// What an account, for its phones, and a trunk want of encrypted sound (SRTP with SDES, RFC 4568).

export const SRTP_MODES = ['off', 'offered', 'required'] as const;
/** offered: wherever the other side has it; keys are offered over TLS alone. required: a call without it is refused. */
export type SrtpMode = (typeof SRTP_MODES)[number];
