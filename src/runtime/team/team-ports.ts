import { fromPromise } from 'xstate'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import { teamMachine } from '../../../machines/team/team.ts'
import type {
  CollectOutput,
  NudgeInput,
  HandOutInput,
  HandOutOutput,
  RecallInput,
  SpawnInput,
  Survey,
  TerminateInput,
} from '../../protocol/port.ts'

/** The acts behind the ports of the team machine. */
export interface TeamActs {
  spawn(input: SpawnInput): Promise<void>
  terminate(input: TerminateInput): Promise<void>
  survey(): Survey
  nudge(input: NudgeInput): void
  answer(): CollectOutput
}

export function provideTeam(acts: TeamActs) {
  return teamMachine.provide({
    actors: {
      spawnMember: fromPromise<void, SpawnInput>(({ input }) => acts.spawn(input)),
      terminateMember: fromPromise<void, TerminateInput>(({ input }) => acts.terminate(input)),
      survey: fromPromise<Survey>(async () => acts.survey()),
      nudgeLead: fromPromise<void, NudgeInput>(async ({ input }) => acts.nudge(input)),
      collect: fromPromise<CollectOutput>(async () => acts.answer()),
    },
  })
}

/** The acts behind the ports of the coordinator machine. */
export interface CoordinatorActs {
  handOut(input: HandOutInput): Promise<HandOutOutput>
  recall(input: RecallInput): Promise<void>
}

export function provideCoordinator({ handOut, recall }: CoordinatorActs) {
  return coordinatorMachine.provide({
    actors: {
      handOut: fromPromise<HandOutOutput, HandOutInput>(({ input }) => handOut(input)),
      recall: fromPromise<void, RecallInput>(async ({ input }) => {
        // A task that is just being sent is journaled and not in its box yet.
        await Promise.resolve()
        await recall(input)
      }),
    },
  })
}
