import type { Host } from '../host/host.ts'
import { plainProgress } from './lines.ts'
import { liveProgress } from './live.ts'
import type { Progress } from './progress.ts'

/**
 * The view of a run: rows that are repainted where a terminal can be drawn on, plain lines elsewhere, and where
 * somebody wants them (`--no-tui`).
 *
 * @param members names, in the order of the screen
 * @example openProgress(['lead', 'writer'], options, host).note('stopping…')
 */
export function openProgress(
  members: readonly string[],
  { tui }: { readonly tui?: boolean | undefined },
  host: Host,
): Progress {
  const isDrawn = host.stderr.isTTY === true && host.env['TERM'] !== 'dumb' && tui !== false
  return isDrawn ? liveProgress(members, host) : plainProgress(host)
}
