import { expect } from 'vitest'
import { fromPromise } from 'xstate'
import { teamMachine, type TeamInput } from '../../../machines/team/team.ts'
import type { CollectOutput, NudgeInput, SpawnInput, Survey, TerminateInput } from '../../../src/protocol/port.ts'
import { factLine, run } from './run.ts'
import { addressed, busy, inputOf, start } from './team-news.ts'

/** What the world answers; a test changes it as it goes. */
interface World {
  survey: Survey
  spawn: (input: SpawnInput) => Promise<void>
  terminate: (input: TerminateInput) => Promise<void>
  nudge: (input: NudgeInput) => Promise<void>
  collect: () => Promise<CollectOutput>
}

/** A team whose ports are told what to answer, and say what they were asked. */
export const started = (input: TeamInput = inputOf()) => {
  const told: string[] = []
  const world: World = {
    survey: busy,
    spawn: () => Promise.resolve(),
    terminate: () => Promise.resolve(),
    nudge: () => Promise.resolve(),
    collect: () => Promise.resolve({ result: 'The answer.' }),
  }
  const tell = <Input>(name: string, input: Input): Input => {
    told.push(`${name} ${JSON.stringify(input)}`)
    return input
  }
  const machine = teamMachine.provide({
    actors: {
      spawnMember: fromPromise<void, SpawnInput>(({ input }) => world.spawn(tell('spawn', input))),
      terminateMember: fromPromise<void, TerminateInput>(({ input }) => world.terminate(tell('terminate', input))),
      survey: fromPromise(() => Promise.resolve(world.survey)),
      nudgeLead: fromPromise<void, NudgeInput>(({ input }) => world.nudge(tell('nudge', input))),
      collect: fromPromise(() => world.collect()),
    },
  })
  const team = run(machine, input)
  return { ...team, world, told, lines: () => team.facts.map(factLine) }
}

export const working = async (input?: TeamInput) => {
  const team = started(input)
  team.send(start)
  await team.settle()
  expect(team.state()).toBe('running.working')
  return team
}

export const withWriter = async () => {
  const team = await working()
  team.send(addressed('writer'))
  await team.settle()
  return team
}
