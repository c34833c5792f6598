import { inProcessExecutor } from '../../adapters/executors/in-process.ts'
import type { Executor } from '../../protocol/team/executor.ts'
import { startLocal, type Leader } from './leader.ts'

/** Where each member lives, as its card says. */
export function memberExecutors(leader: Leader): (member: string) => Executor {
  const here = inProcessExecutor(({ member }) => startLocal(leader, member))
  const kinds = new Map(leader.context.team.members.map(({ name, executor }) => [name, executor]))
  return (member) => {
    const kind = kinds.get(member) ?? 'in-process'
    return kind === 'in-process' ? here : leader.elsewhere.executor(kind)
  }
}

/** A worker elsewhere may live on: its tree is touched only when a new life of it is prepared. */
export function livesHere({ context: { team } }: Pick<Leader, 'context'>, member: string): boolean {
  return team.members.some(({ name, executor }) => name === member && executor === 'in-process')
}
