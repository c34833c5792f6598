/** The port of a server of runs, which nobody else is known to have. */
export const usualPort = 4_777
