import type { DetachedRun } from '../../../runtime/run/detach-team.ts'
import { cwdOption } from './diagnostics-text.ts'

/** Commands for a run that nobody attends, one a line, as they can be copied. */
export function detachedText({ id, dir, pid, looks }: DetachedRun, cwd: string): string {
  const there = cwdOption(dir, cwd)
  return [
    `The run goes on by itself; process ${pid} leads it.`,
    `watch it: troupe attach ${id}${there}`,
    `read it: troupe logs -f ${id}${there}`,
    `stop it: troupe stop ${id}${there}`,
    `list runs: troupe ps${there}`,
    ...looks.map((command) => `see its panes: ${command}`),
    '',
  ].join('\n')
}
