// What may be chosen of trunks and of encrypted sound. Apart from their fields, which the pages that offer them do not load.

export const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

/** Which header beside From has the caller ID: P-Asserted-Identity, P-Preferred-Identity or Remote-Party-ID. */
export const IDENTITY_HEADERS = ['none', 'pai', 'ppi', 'rpid'] as const;
export const FROM_USERS = ['caller_id', 'username'] as const;

/** offered: wherever the other side has it; keys are offered over TLS alone. required: a call without it is refused. */
export const SRTP_MODES = ['off', 'offered', 'required'] as const;
export type SrtpMode = (typeof SRTP_MODES)[number];

/** How numbers are written; as_is: as they are. */
export const NUMBER_FORMATS = ['as_is', 'plus', 'national', '00', 'digits'] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];
