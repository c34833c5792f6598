import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mailItems } from '../../../src/runtime/mail/inspect-mail.ts'
import { openPlayer } from '../../../src/runtime/replay/play-run.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { handClock } from '../../support/hand-clock.ts'
import { emulator } from './support/emulator.ts'
import { asked, spoken, stagedRun } from './support/staged-run.ts'

/** A run of ten minutes, a word of ana each, on the screen of attach. */
function played(member?: string) {
  const staged = stagedRun(['lead', 'ana'])
  staged.tell('ana', { type: 'member.woke' }, { type: 'agent.started' }, asked('Count.'))
  for (let number = 1; number <= 10; number += 1) staged.tell('ana', spoken(`Number ${number}.`))
  const { recorded } = recordOfRun(staged.dir)
  const first = recorded.length - 10
  const timed = recorded.map((each, index) => {
    const at = Math.max(0, index - first + 1) * 60_000
    return { ...each, entry: { ...each.entry, at } }
  })
  const clock = handClock()
  const player = openPlayer(timed, { speed: 60, clock })
  const terminal = emulator(110, 24)
  const left = staged.show(terminal, member, false, player)
  return { ...staged, clock, terminal, left, first }
}

test('a recorded run plays on the screen of attach, and its keys pause it and take steps', async () => {
  const { clock, terminal, left, first } = played('ana')
  await terminal.until((screen) => screen.includes('Count.') && screen.includes(`replay ×60`))
  clock.pass(2_000)
  const shown = await terminal.until((screen) => screen.includes('Number 2.'))
  expect(shown).not.toContain('Number 3.')
  terminal.press(' ')
  await terminal.until((screen) => screen.includes('replay paused') && screen.includes('Space play on'))
  clock.pass(60_000)
  terminal.press('..')
  const stepped = await terminal.until((screen) => screen.includes(`${first + 4}/${first + 10}`))
  expect(stepped).toContain('Number 4.')
  terminal.press('+')
  terminal.press(' ')
  await terminal.until((screen) => screen.includes('replay ×100'))
  clock.pass(600)
  await terminal.until((screen) => screen.includes('Number 5.'))
  terminal.press('?')
  const help = await terminal.until((screen) => screen.includes('pause, or play on'))
  expect(help).not.toContain('send what is typed')
  terminal.press('\u001b')
  clock.pass(60_000)
  await terminal.until((screen) => screen.includes('replay: the end') && screen.includes('Number 10.'))
  terminal.press('\u0003')
  await left
})

test('nothing reaches the run whose record is played', async () => {
  const { dir, terminal, left } = played('ana')
  await terminal.until((screen) => screen.includes('replay ×60'))
  const before = recordOfRun(dir).recorded.length
  for (const key of ['h', '\r', '/', '\u0013', '\u0018', '\u000f']) {
    terminal.press(key)
    await terminal.until((screen) => screen.includes('nothing is sent in a replay · troupe fork --at'))
  }
  terminal.press('\u001b[200~pasted words\u001b[201~')
  terminal.press('\u001b')
  await terminal.until((screen) => screen.includes('[Members 2]'))
  for (const key of ['m', 'M', 'X', 'X', 'R', 'R', '*']) terminal.press(key)
  const list = await terminal.until((screen) => screen.includes('nothing is sent in a replay'))
  expect(list).not.toContain('X again')
  expect(list).not.toContain('pasted words')
  terminal.press('\u0003')
  await left
  expect(mailItems(dir)).toEqual([])
  expect(recordOfRun(dir).recorded).toHaveLength(before)
  expect(existsSync(join(dir, 'stopped.json'))).toBe(false)
})
