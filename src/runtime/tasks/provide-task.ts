import { fromPromise } from 'xstate'
import { taskMachine } from '../../../machines/task/task.ts'
import type { CheckEvidenceInput, CheckEvidenceOutput } from '../../protocol/port.ts'
import { perSystem } from '../actors/per-system.ts'

/** The acts behind the ports of a task's machine. */
export interface TaskPorts {
  check(input: CheckEvidenceInput, signal: AbortSignal): Promise<CheckEvidenceOutput>
}

export const taskPorts = perSystem<TaskPorts>()

/** The task machine with its port wired. */
export const providedTask = taskMachine.provide({
  actors: {
    check: fromPromise<CheckEvidenceOutput, CheckEvidenceInput>(({ input, system, signal }) =>
      taskPorts.of(system).check(input, signal),
    ),
  },
})
