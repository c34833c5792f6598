import { allMarked, killMarked } from '../../adapters/process/end-process.ts'
import { listRuns, readRun } from '../../adapters/sessions/read-run.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { isDead } from '../runs/leader.ts'

/** Processes that killed members of a run had left behind, and that were ended now. */
export interface Reaped {
  readonly run: string
  readonly member: string
  readonly processes: number
}

/**
 * Ends what killed members of earlier runs left running, commands above all: nobody hears their end any more. They are
 * known by the mark of a life whose process, by id and start time, is gone. One look at the processes of this machine
 * is enough when nothing is left.
 *
 * @param root where the runs of a working directory lie
 * @example reapOrphans('/project/.troupe/runs') // [{ run: 'review-01J…', member: 'historian', processes: 1 }]
 */
export function reapOrphans(root: string): readonly Reaped[] {
  const marked = allMarked()
  if (marked.size === 0) return []
  return listRuns(root).flatMap(({ id, dir }) => sweep(id, dir, (life) => marked.has(life)))
}

/** The same for one run. */
export function sweepDead(dir: string): readonly Reaped[] {
  return sweep('', dir, () => true)
}

function sweep(run: string, dir: string, isMarked: (life: string) => boolean): readonly Reaped[] {
  const dead = readRun(dir).members.filter((member) => isMarked(member.incarnation) && isDead(dir, member))
  return dead.flatMap(({ id, incarnation }) => {
    const processes = killMarked(incarnation)
    return processes === 0 ? [] : [{ run, member: memberName(id), processes }]
  })
}

/** A sentence about reaped processes, for people. */
export function reapedText({ run, member, processes }: Reaped): string {
  const what = processes === 1 ? 'one process' : `${processes} processes`
  return `ended ${what} that ${member} of ${run} had left running when it was killed`
}
