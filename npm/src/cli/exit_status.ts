export const DONE = 0;
/** The check or comparison that was asked for failed. */
export const CHECK_FAILED = 1;
/** Bad usage or bad input. */
export const REFUSED = 2;
