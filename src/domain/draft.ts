// Drafts of an account's flow: how much of it is collected in one.
/** Records of one draft. */
export const MAX_DRAFT = 100;
/** JSON of one draft, and so of one publication. */
export const MAX_PUBLISHED_BYTES = 1024 * 1024;
/** Publications that an account keeps, and can roll back. */
export const MAX_PUBLICATIONS = 50;
export const MAX_PUBLISH_REASON = 500;
