import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import type { RunResult } from '../../../src/protocol/team/run.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { readCost } from '../../../src/runtime/runs/read-cost.ts'
import { runTeam, type RunTeamOptions } from '../../../src/runtime/run/run-team.ts'
import { tempDir } from './stage.ts'

/** Dollars per million tokens of the two models. */
export const rates = {
  'scripted/weak.yaml': { input: 1, output: 2 },
  'scripted/strong.yaml': { input: 10, output: 100 },
}

export interface TwoModels {
  readonly team: object
  readonly weak: Readonly<Record<string, readonly object[]>>
  readonly strong: Readonly<Record<string, readonly object[]>>
  readonly options?: Partial<RunTeamOptions>
}

export interface PlayedTwo {
  readonly result: RunResult
  readonly recorded: readonly Recorded[]
  readonly cost: ReturnType<typeof readCost>
  readonly dir: string
  readonly home: string
}

/** Plays a team whose members have a cheap model, and one that they may turn to; both scripted and priced. */
export async function playTwo({ team, weak, strong, options }: TwoModels): Promise<PlayedTwo> {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.troupe'), { recursive: true })
  writeFileSync(join(home, '.troupe', 'models.json'), JSON.stringify(rates))
  const write = (name: string, agents: TwoModels['weak']): void => {
    const steps = Object.fromEntries(Object.entries(agents).map(([agent, said]) => [agent, { steps: said }]))
    writeFileSync(join(cwd, name), stringify({ agents: steps }))
  }
  write('weak.yaml', weak)
  write('strong.yaml', strong)
  writeFileSync(join(cwd, 'team.yaml'), stringify({ model: 'scripted/weak.yaml', ...team }))
  const env = { PATH: process.env['PATH'] }
  const run = runTeam(await loadTeam(join(cwd, 'team.yaml'), { env }), { task: 'Begin.', cwd, home, env, ...options })
  const recorded: Recorded[] = []
  run.subscribe((fact) => recorded.push(fact))
  const result = await run.result
  return { result, recorded, cost: readCost(run.dir), dir: run.dir, home }
}

/** The facts of one type that one member stated. */
export function factsBy<Type extends Entry['type']>(recorded: readonly Recorded[], member: string, type: Type) {
  return recorded.flatMap(({ owner, entry }) =>
    owner === member && entry.type === type ? [entry as Extract<Entry, { type: Type }>] : [],
  )
}
