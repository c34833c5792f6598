import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play } from '../../runtime/support/stage.ts'
import { fakeHost } from './fake-host.ts'

async function troupe(cwd: string, ...args: readonly string[]) {
  const host = fakeHost({ cwd, home: cwd })
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

const team = {
  name: 'duo',
  permissions: { allow: ['Write'] },
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works & <writes>.', prompt: 'You work.', tools: ['LS', 'Write'] } },
}
const write = { calls: [{ tool: 'Write', input: { file_path: 'notes.txt', content: 'noted' } }] }
const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Work.' }] } }] },
      { say: 'It is <done>.' },
    ],
  },
  ana: { steps: [{ calls: [{ tool: 'LS', input: { path: '.' } }] }, write, { say: 'I noted it.' }] },
}

async function ran() {
  const { cwd, run, result } = await play(team, script, { trusted: true })
  await result
  return { cwd, dir: run.dir }
}

test('diff compares two runs of a team by path, answer, cost and files', async () => {
  // The second run may not write over a file that it has not read.
  const { cwd, dir } = await ran()
  const home = join(cwd, 'home')
  const again = runTeam(await loadTeam(join(cwd, 'teams/team.yaml'), { env: {} }), {
    task: 'Begin again.',
    cwd,
    home,
    env: bareEnv,
    trusted: true,
  })
  await again.result
  const { code, out, err } = await troupe(cwd, 'diff', dir, again.dir)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^ +duo-\S+ +duo-\S+\nstatus +completed +completed\nanswers +5 +5\n/)
  expect(out).toMatch(
    /\nlead: Begin\.\n {2}task\n {4}- Begin\.\n {4}\+ Begin again\.\n {4}Delegate\(ana\)\n {2}the same answer\n/,
  )
  expect(out).toMatch(
    /\nana: Work\.\n {4}LS\(\.\)\n {2}- Write\(notes\.txt\)\n {2}\+ Write\(notes\.txt\) \(error\)\n {2}the same answer\n/,
  )
  const same: unknown = JSON.parse((await troupe(cwd, 'diff', dir, dir, '--json')).out)
  expect(same).toMatchObject({
    same: true,
    files: [],
    team: [],
    work: [{ member: 'lead', same: true }, { member: 'ana' }],
  })
  expect((await troupe(cwd, 'diff', dir, 'nobody')).code).toBe(2)
})

test('report writes one page, prints a comment, and gives what it shows as JSON', async () => {
  const { cwd, dir } = await ran()
  const { code, out } = await troupe(cwd, 'report', '--out', 'run.html')
  const file = join(cwd, 'run.html')
  expect([code, out]).toEqual([0, `${file}\n`])
  const page = readFileSync(file, 'utf8')
  expect(page).toContain('It is &lt;done&gt;.')
  expect(page).toContain('Works &amp; &lt;writes&gt;.')
  expect(page).toContain(join(dirname(dirname(dirname(dir))), 'notes.txt'))
  expect(statSync(file).size).toBeLessThan(60_000)

  const comment = await troupe(cwd, 'report', 'duo', '--markdown')
  expect(comment.out).toMatch(/^### duo: completed\n/)
  expect(comment.out).toContain('```text\nIt is <done>.\n```')

  const sheet: unknown = JSON.parse((await troupe(cwd, 'report', '--json')).out)
  expect(sheet).toMatchObject({ team: 'duo', task: 'Begin.', status: 'completed', result: 'It is <done>.' })
  const written: unknown = JSON.parse((await troupe(cwd, 'report', '--out', 'x.html', '--json')).out)
  expect(written).toMatchObject({ file: join(cwd, 'x.html') })
})

test('a report that cannot be written, or of no run, is refused with a way on', async () => {
  const { cwd } = await ran()
  const unwritten = await troupe(cwd, 'report', '--out', 'no/such/folder.html')
  expect([unwritten.code, unwritten.err]).toEqual([2, expect.stringContaining('--out')])
  expect((await troupe(cwd, 'report', 'nobody', '--out', 'y.html')).code).toBe(2)
  expect(existsSync(join(cwd, 'y.html'))).toBe(false)
})
