import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { play } from '../support/stage.ts'

test('a call that had not begun is made, also when an earlier one had its id', async () => {
  const team = {
    name: 'duet',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Bash'] } },
  }
  const write = (word: string) => ({ calls: [{ tool: 'Bash', input: { command: `echo ${word} >> effects` } }] })
  const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Work.' }] } }] }
  const steps = [write('one'), write('two'), { say: 'done' }]
  const script = { lead: { steps: [delegation, { say: 'ana: {{mail.ana}}' }] }, ana: { steps } }
  const { cwd, run, recorded, result } = await play(team, script, { mode: 'bypassPermissions', allowBypass: true })
  expect(await result).toMatchObject({ status: 'completed' })
  const asked = recorded.findLast(
    ({ owner, entry }) => owner === 'ana' && entry.type === 'message.appended' && JSON.stringify(entry).includes('two'),
  )
  const home = join(cwd, 'home')
  const dir = forkRun(run.dir, { at: asked?.entry.id ?? '', home, clock: systemClock() })
  // Many a server counts the calls of each answer from nought.
  const journal = join(dir, 'journal', 'ana.jsonl')
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(/"ana-\d-1"/g, '"call_0"'))
  writeFileSync(join(cwd, 'effects'), '')
  expect(await (await resumeTeam(dir, { home, env: { PATH: process.env['PATH'] } })).result).toMatchObject({
    result: 'ana: done',
  })
  expect(readFileSync(join(cwd, 'effects'), 'utf8')).toBe('two\n')
})
