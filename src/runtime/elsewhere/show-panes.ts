import { tmuxViews } from '../../adapters/executors/tmux-views.ts'
import { agentId } from '../../protocol/words/ids.ts'
import { NoPlace } from '../runs/no-place.ts'
import { ownProgram } from '../runs/own-program.ts'
import type { RunCast } from '../runs/read-cast.ts'

interface PanesWanted {
  readonly cast: RunCast
  /** One member; null for all but the lead. */
  readonly member: string | null
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Shows members of a run in panes of the person's tmux, wherever they live; one that has a pane keeps it.
 * @param dir the run directory
 * @returns the members that have a pane now
 * @throws NoPlace outside tmux
 * @example await showPanes(dir, { cast, member: null, env: process.env }) // ['ana', 'bo']
 */
export async function showPanes(dir: string, { cast, member, env }: PanesWanted): Promise<readonly string[]> {
  if (!env['TMUX_PANE']) throw new NoPlace('this is not inside tmux: start tmux first, or attach without --panes')
  const views = tmuxViews({ env, run: dir })
  const names = cast.members.map(({ name }) => name)
  const shown = member === null ? names.filter((name) => name !== cast.lead) : [member]
  for (const name of shown) {
    const view = [process.execPath, ownProgram, 'attach', `${name}@${dir}`] as const
    const title = agentId(name, cast.team)
    await views.show({ member: name, view, cwd: cast.cwd, title, colour: names.indexOf(name) })
  }
  return shown
}
