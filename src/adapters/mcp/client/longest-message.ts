/** The longest message of a server, in bytes; one that is longer ends the connection, or the answer that it is in. */
export const longestMessage = 10 * 1024 * 1024
