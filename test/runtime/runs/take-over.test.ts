import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

const source = (file: string): string => JSON.stringify(join(import.meta.dirname, '../../../src/runtime', file))

test('a run whose leader is stopped before it leads is led by nobody else, until that leader is dead', async () => {
  const cwd = tempDir()
  const team = { name: 'solo', model: 'scripted/script.yaml', coordinator: { prompt: 'You lead.' } }
  const worker = { ana: { description: 'Works.', prompt: 'You work.' } }
  writeFileSync(join(cwd, 'team.yaml'), JSON.stringify({ ...team, workers: worker }))
  writeFileSync(join(cwd, 'script.yaml'), JSON.stringify({ agents: { lead: { steps: [{ say: 'Done.' }] } } }))
  const options = { cwd, home: join(cwd, 'home'), env: bareEnv }
  // A leader makes its run and is stopped where the next step would be to lead it.
  const begins = `
    import { writeSync } from 'node:fs'
    import { loadTeam } from ${source('team-files/load-team.ts')}
    import { prepareRun } from ${source('run/run-team.ts')}
    const team = await loadTeam(${JSON.stringify(join(cwd, 'team.yaml'))}, { env: {} })
    writeSync(1, prepareRun(team, { ...${JSON.stringify(options)}, task: 'Go.' }).run.dir)
    process.kill(process.pid, 'SIGSTOP')`
  const leader = spawn(process.execPath, ['--input-type=module', '-e', begins], { cwd, env: bareEnv })
  onTestFinished(() => void leader.kill('SIGKILL'))
  const [said] = (await once(leader.stdout, 'data')) as [Buffer]
  const dir = said.toString()
  await expect(resumeTeam(dir, options)).rejects.toThrow(`is about to be led by process ${leader.pid}, which made it`)
  leader.kill('SIGKILL')
  await once(leader, 'exit')
  const { result } = await resumeTeam(dir, options)
  expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
})
