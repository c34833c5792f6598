import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'

test('twenty teams are tested by one command', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-team-tests-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (let n = 1; n <= 20; n += 1) {
    const names = Array.from({ length: 1 + (n % 4) }, (_, at) => `worker-${at}`)
    const subtasks = names.map((worker) => ({ worker, task: `Look at ${worker}.` }))
    const look = { steps: [{ calls: [{ tool: 'Read', input: { file_path: 'in.txt' } }] }, { say: `Seen by ${n}.` }] }
    const lead = { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: `Team ${n} has seen it.` }] }
    const card = { description: 'd', prompt: 'p', tools: ['Read'] }
    const files = {
      [`team-${n}.yaml`]: {
        name: `team-${n}`,
        coordinator: { prompt: 'p' },
        workers: Object.fromEntries(names.map((name) => [name, card])),
      },
      [`tape-${n}.yaml`]: { agents: { lead, ...Object.fromEntries(names.map((name) => [name, look])) } },
      [`team-${n}.test.yaml`]: {
        team: `team-${n}.yaml`,
        task: 'Look.',
        cassette: `tape-${n}.yaml`,
        files: { 'in.txt': 'x' },
        expect: {
          answer: { equals: `Team ${n} has seen it.` },
          tools: { used: ['Read'] },
          members: ['lead', ...names],
        },
      },
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), stringify(content))
  }
  const bin = join(import.meta.dirname, '../../src/ui/cli/bin.ts')
  const ran = await execa(process.execPath, [bin, 'test', '--json'], { cwd: dir, env: { HOME: dir }, reject: false })
  expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, passed: 20, failed: 0 })
  expect(ran.exitCode).toBe(0)
  console.log(`20 teams: ${Math.round(ran.durationMs)} ms`)
})
