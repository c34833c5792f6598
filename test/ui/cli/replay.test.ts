import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { play } from '../../runtime/support/stage.ts'
import { fakeHost } from './fake-host.ts'

async function troupe(cwd: string, ...args: readonly string[]) {
  const host = fakeHost({ cwd, home: cwd })
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

async function recorded() {
  const team = {
    name: 'duo',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['LS'] } },
  }
  const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Work.' }] } }] }
  const script = {
    lead: { steps: [delegate, { say: 'It is done.' }] },
    ana: { steps: [{ calls: [{ tool: 'LS', input: { path: '.' } }] }, { say: 'done' }] },
  }
  const { cwd, run, result } = await play(team, script)
  await result
  return { cwd, journal: join(run.dir, 'journal/ana.jsonl') }
}

test('replay says that every machine did again what the journals say, in words and as JSON', async () => {
  const { cwd } = await recorded()
  const { code, out, err } = await troupe(cwd, 'replay')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(
    /^MEMBER +LIFE +ENTRIES +TRANSITIONS +RESULT\nteam +1 +\d+ +\d+ +as recorded\nlead +1 +\d+ +\d+ +as recorded\nana +1 +\d+ +\d+ +as recorded\n/,
  )
  expect(out).toMatch(/\nduo-\S+: the machines did again what the journals say\n$/)
  const document: unknown = JSON.parse((await troupe(cwd, 'replay', 'duo', '--json')).out)
  expect(document).toMatchObject({
    identical: true,
    lives: [{ member: 'team' }, { member: 'lead', life: 1, difference: null }, { member: 'ana' }],
  })
  const steps = await troupe(cwd, 'replay', '--transitions', '--until', 'ana-12')
  expect(steps.out).toContain('\n  agent: xstate.done.actor.intake → thinking.asking\n')
})

test('a journal that the machines do not bear out is exit code 1, with the entry and both facts', async () => {
  const { cwd, journal } = await recorded()
  const lines = readFileSync(journal, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes('"agent.ended"'))
  writeFileSync(journal, lines.with(at, (lines[at] ?? '').replace('completed', 'cut')).join('\n'))
  const { code, out } = await troupe(cwd, 'replay')
  expect(code).toBe(1)
  expect(out).toContain(`differs at ana-${at + 1}`)
  expect(out).toMatch(
    /\n {2}recorded {2}\{"type":"agent.ended","turn":2,"reason":"cut"\}\n {2}replayed {2}\{"type":"agent.ended","turn":2,"reason":"completed"\}\n/,
  )
})

test('--speed prints the run as it happened; a line that is none does not stop a replay', async () => {
  const { cwd, journal } = await recorded()
  appendFileSync(journal, 'no line\n')
  const { code, out } = await troupe(cwd, 'replay', '--speed', '1000')
  expect(code).toBe(0)
  expect(out.indexOf('Work.')).toBeLessThan(out.indexOf('It is done.'))
  expect(out.indexOf('It is done.')).toBeLessThan(out.indexOf('as recorded'))
})

test('a speed, an entry or a run that is none is refused with a way on', async () => {
  const { cwd } = await recorded()
  expect((await troupe(cwd, 'replay', '--speed', 'fast')).err).toContain('Give a number above 0')
  const unknown = await troupe(cwd, 'replay', '--until', 'ana-999')
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('troupe logs --json')])
  expect((await troupe(cwd, 'replay', 'dou')).err).toContain('did you mean "duo"')
})

test('--until takes a time, too, and a screen needs a terminal', async () => {
  const { cwd } = await recorded()
  const begun = await troupe(cwd, 'replay', '--speed', '1000', '--until', '0s')
  expect(begun.code).toBe(0)
  expect(begun.out).not.toContain('It is done.')
  expect((await troupe(cwd, 'replay', '--until', 'soon', '--attach')).err).toContain('no time such as 90s')
  expect((await troupe(cwd, 'replay', '--attach')).err).toContain('troupe replay --speed prints the run')
  expect((await troupe(cwd, 'replay', '--attach', '--json')).err).toMatch(/'--attach' cannot be used with .*'--json'/)
})
