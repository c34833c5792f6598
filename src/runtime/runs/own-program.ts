import { extname, join } from 'node:path'

/**
 * The command line's own file: what leaders start workers and detached leaders with. From source or built, as whoever
 * starts them runs.
 */
export const ownProgram = join(import.meta.dirname, '..', '..', 'ui', 'cli', `bin${extname(import.meta.filename)}`)
