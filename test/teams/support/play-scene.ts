import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { RunResult } from '../../../src/protocol/team/run.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { environment, layOut, type Scene } from '../scenes/scene.ts'

/** A directory with the scene's repository and, beside it, an empty home. */
export interface SceneStage {
  readonly root: string
  readonly repository: string
  remove(): void
}

export function setUp(scene: Scene): SceneStage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `troupe-${scene.team}-`)))
  const repository = join(root, 'repository')
  mkdirSync(repository)
  layOut(scene, repository)
  return { root, repository, remove: () => rmSync(root, { recursive: true, force: true }) }
}

export interface PlayedScene {
  readonly result: RunResult
  readonly facts: readonly Recorded[]
}

/** Runs the scene's team on its task, for real but for the model. */
export async function playScene(
  scene: Scene,
  { root, repository }: SceneStage,
  { model, env = {} }: { readonly model: string; readonly env?: Readonly<Record<string, string>> },
): Promise<PlayedScene> {
  const team = await loadTeam(resolve('teams', `${scene.team}.yaml`), { model, env })
  const run = runTeam(team, {
    task: scene.task,
    cwd: repository,
    home: root,
    env: { ...environment(root), ...env },
    rules: { allow: [...(scene.allow ?? [])] },
    ...(scene.mode === undefined ? {} : { mode: scene.mode }),
  })
  const facts: Recorded[] = []
  run.subscribe((recorded) => facts.push(recorded))
  return { result: await run.result, facts }
}

export function cassetteOf(scene: Scene): string {
  return resolve('test/teams/cassettes', `${scene.team}.yaml`)
}
