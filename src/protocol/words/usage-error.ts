/**
 * A mistake of a caller, who can mend it: the message names the place and the cure. A command line ends with exit code 2.
 *
 * @example throw new UsageError('there is no run "reviw" here; did you mean "review"?')
 */
export class UsageError extends Error {}
