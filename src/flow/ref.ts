/** A reference as the API writes it: `<kind>||<id>`, for example `extension||42`. */
export type Ref = string;

/** A recording's id alone, without its `recording||` in front. */
export type RecordingId = string;
