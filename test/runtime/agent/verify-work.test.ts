import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { uncheckedWork } from '../../../src/runtime/agent/take-up-work.ts'
import { uncheckedText } from '../../../src/rules/team/verification.ts'
import { onlyRun } from '../../ui/cli/process/troupe.ts'
import { play, tempDir } from '../support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

const bin = join(import.meta.dirname, '../../../src/ui/cli/bin.ts')

const duo = (verify: unknown, more: object = {}) => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Bash', 'Write'], verify, ...more } },
})
const script = (...steps: readonly object[]) => ({
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Make it.' }] } }] },
      { say: 'ana: {{mail.ana}}' },
    ],
  },
  ana: { steps },
})
const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] })
const of = <Type extends Entry['type']>(recorded: readonly Recorded[], type: Type) =>
  recorded.flatMap(({ owner, entry }) =>
    owner === 'ana' && entry.type === type ? [entry as Extract<Entry, { type: Type }>] : [],
  )
const unattended = { mode: 'bypassPermissions', allowBypass: true } as const

describe('the check of a member', () => {
  test('makes its end verified, and the run says so', async () => {
    const { recorded, result } = await play(duo('ls teams'), script({ say: 'Done.' }))
    const ended = await result
    expect(ended).toMatchObject({ status: 'completed', result: 'ana: Done.' })
    expect(ended.members.find(({ id }) => id === 'ana@duo')).toMatchObject({ reason: 'verified', turns: 1 })
    expect(of(recorded, 'verify.settled')).toMatchObject([{ after: 'end', verdict: 'passed', command: 'ls teams' }])
  })

  test('runs in the working directory, wherever the shell of the member is by now', async () => {
    const steps = script(bash('mkdir -p deep && cd deep && pwd'), { say: 'Done.' })
    const { recorded, result } = await play(duo({ command: 'ls teams', after_changes: false }), steps, unattended)
    await result
    expect(of(recorded, 'verify.settled')).toMatchObject([{ verdict: 'passed' }])
  })

  test('that needs approval where nobody can be asked does not run, and the work is not called verified', async () => {
    const { cwd, recorded, result } = await play(duo('touch checked'), script({ say: 'Done.' }))
    const { members } = await result
    expect(members.find(({ id }) => id === 'ana@duo')).toMatchObject({ reason: 'completed' })
    expect(of(recorded, 'verify.settled')).toMatchObject([{ verdict: 'not_run' }])
    expect(of(recorded, 'permission.decided')).toMatchObject([{ tool: 'Bash', decision: { behavior: 'deny' } }])
    expect(existsSync(join(cwd, 'checked'))).toBe(false)
  })

  test('is what the team allows only where that is trusted', async () => {
    const allowing = { ...duo('touch checked'), permissions: { allow: ['Bash(touch checked)'] } }
    const untrusted = await play(allowing, script({ say: 'Done.' }))
    await untrusted.result
    expect(of(untrusted.recorded, 'verify.settled')).toMatchObject([{ verdict: 'not_run' }])
    const trusted = await play(allowing, script({ say: 'Done.' }), { trusted: true })
    await trusted.result
    expect(of(trusted.recorded, 'verify.settled')).toMatchObject([{ verdict: 'passed' }])
    expect(existsSync(join(trusted.cwd, 'checked'))).toBe(true)
  })

  test('is asked about in a durable question, and one answer may hold for all of its runs', async () => {
    const approver = {
      answer: () =>
        Promise.resolve({ behavior: 'allow', source: 'human', reason: 'for the session', scope: 'session' } as const),
    }
    const steps = script(bash('touch made'), { say: 'Done.' }, { say: 'Really done.' })
    const check = { command: 'touch ran && ls good', attempts: 2 }
    const { recorded, result } = await play(duo(check), steps, { approver })
    await result
    expect(of(recorded, 'permission.requested').map(({ call_id }) => call_id)).toEqual(['ana-1-1', 'verify-1'])
    expect(of(recorded, 'verify.settled').map(({ after, verdict }) => `${after} ${verdict}`)).toEqual([
      'change failed',
      'end failed',
      'end failed',
    ])
    expect(of(recorded, 'agent.ended')).toMatchObject([{ reason: 'failed', failure: { code: 'unverified' } }])
  })

  test('prints what it prints within bounds', async () => {
    const noisy = { command: 'seq 1 20000; ls nowhere', attempts: 1 }
    const { recorded, result } = await play(duo(noisy), script({ say: 'Done.' }), unattended)
    await result
    const [ended] = of(recorded, 'agent.ended')
    expect(ended?.failure?.message).toContain('[exit 2]')
    expect(ended?.failure?.message.length).toBeLessThan(500)
  })
})

test('a run that was killed in the middle of a check goes on by checking', async () => {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'teams'))
  const slowly = 'echo ran >> ran; until [ -e go ]; do sleep 0.05; done'
  const team = { model: 'scripted/script.yaml', ...duo(slowly) }
  const agents = script({ say: 'Done.' }, { expect: 'Interrupted', say: 'Done, as I said.' })
  writeFileSync(join(cwd, 'teams', 'team.yaml'), stringify(team))
  writeFileSync(join(cwd, 'teams', 'script.yaml'), stringify({ agents }))
  const args = ['run', 'teams/team.yaml', 'Begin.', '--mode', 'bypassPermissions', '--dangerously-skip-permissions']
  const env = { ...bareEnv, HOME: join(cwd, 'home') }
  const leader = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: 'ignore' })
  onTestFinished(() => void leader.kill('SIGKILL'))
  while (!existsSync(join(cwd, 'ran'))) await setTimeout(20)
  leader.kill('SIGKILL')
  await once(leader, 'exit')
  writeFileSync(join(cwd, 'go'), '')
  const run = await resumeTeam(onlyRun(cwd), { home: join(cwd, 'home'), env: bareEnv })
  const recorded: Recorded[] = []
  run.subscribe((fact) => recorded.push(fact))
  expect(await run.result).toMatchObject({ status: 'completed', result: 'ana: Done, as I said.' })
  expect(of(recorded, 'verify.settled').map(({ verdict }) => verdict)).toEqual(['not_run', 'passed'])
  expect(readFileSync(join(cwd, 'ran'), 'utf8')).toBe('ran\nran\n')
})

describe('a life that ended before its work was checked', () => {
  const entry = (fact: object, seq = 1): Entry =>
    ({ v: 1, seq, id: `ana-${seq}`, parent: null, at: 1, ...fact }) as Entry
  const said = entry({
    type: 'message.appended',
    message: {
      role: 'assistant',
      model: 'm/m',
      content: [{ type: 'text', text: 'Done.' }],
      stop: 'end',
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    },
  })
  const begun = entry({ type: 'verify.started', call_id: 'verify-1', command: 'make' })
  const ended = entry({ type: 'agent.ended', turn: 1, reason: 'completed' })

  test('is known by its last words, which nobody declared over, and by a check without an end', () => {
    expect(uncheckedWork([said])).toEqual({ atEnd: true, dropped: [] })
    expect(uncheckedWork([said, ended])).toEqual({ atEnd: false, dropped: [] })
    expect(uncheckedWork([said, begun])).toMatchObject({
      atEnd: true,
      dropped: [{ type: 'verify.settled', call_id: 'verify-1', command: 'make', after: 'end', verdict: 'not_run' }],
    })
    expect(uncheckedText).toMatch(/checked/)
  })
})
