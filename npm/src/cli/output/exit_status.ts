export const DONE = 0;
/** The check or comparison that was asked for failed. */
export const CHECK_FAILED = 1;
/** Some lines of the input could not be used; with all others it is done. */
export const LINES_FAILED = 1;
/** Bad usage or bad input. */
export const REFUSED = 2;
