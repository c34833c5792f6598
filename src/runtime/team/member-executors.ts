import { inProcessExecutor } from '../../adapters/executors/in-process.ts'
import type { Executor } from '../../protocol/team/executor.ts'
import { bringOn, type Stage } from './leader.ts'

/** Where each member lives, as its card says. */
export function executors(stage: Stage): (member: string) => Executor {
  const here = inProcessExecutor(({ member }) => bringOn(stage, member))
  const kinds = new Map(stage.scene.team.members.map(({ name, executor }) => [name, executor]))
  return (member) => {
    const kind = kinds.get(member) ?? 'in-process'
    return kind === 'in-process' ? here : stage.elsewhere.executor(kind)
  }
}

/** A worker elsewhere may live on: its tree is touched only when a new life of it is prepared. */
export function livesHere({ scene: { team } }: Pick<Stage, 'scene'>, member: string): boolean {
  return team.members.some(({ name, executor }) => name === member && executor === 'in-process')
}
