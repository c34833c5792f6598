import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { onTestFinished } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { RunResult } from '../../../src/protocol/team/run.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam, type RunTeamOptions, type TeamRun } from '../../../src/runtime/run/run-team.ts'
import { bareEnv } from '../../support/bare-env.ts'

/** A directory of its own that is gone when the test is over. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-runtime-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export interface Played {
  readonly cwd: string
  readonly run: TeamRun
  readonly recorded: Recorded[]
  readonly result: Promise<RunResult>
}

/** A run's options, and files that lie in its working directory from the beginning. */
type Scenery = Partial<RunTeamOptions> & { readonly files?: Readonly<Record<string, string>> }

/** A team and its script, as plain objects, played in an otherwise empty working directory. */
export async function play(team: object, script: object, { files = {}, ...options }: Scenery = {}): Promise<Played> {
  const cwd = tempDir()
  const teams = join(cwd, 'teams')
  mkdirSync(teams)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  writeFileSync(join(teams, 'team.yaml'), stringify({ model: 'scripted/script.yaml', ...team }))
  writeFileSync(join(teams, 'script.yaml'), stringify({ agents: script }))
  const { tools, providers, executors } = options
  const extensions = { ...(tools && { tools }), ...(providers && { providers }), ...(executors && { executors }) }
  const loaded = await loadTeam(join(teams, 'team.yaml'), { env: {}, ...extensions })
  const run = runTeam(loaded, {
    task: 'Begin.',
    cwd,
    home: join(cwd, 'home'),
    env: bareEnv,
    ...options,
  })
  const recorded: Recorded[] = []
  run.subscribe((fact) => recorded.push(fact))
  return { cwd, run, recorded, result: run.result }
}

/** The facts of one owner as words. */
export function factsOf(recorded: readonly Recorded[], owner: string): readonly string[] {
  return recorded.filter((fact) => fact.owner === owner).map(({ entry }) => entry.type)
}
