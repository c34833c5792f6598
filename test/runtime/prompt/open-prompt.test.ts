import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failedAnswer, textOf, userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { memberSections } from '../../../src/rules/prompt/member-sections.ts'
import { volatileSection } from '../../../src/rules/prompt/section.ts'
import { contextSections } from '../../../src/runtime/prompt/context-sections.ts'
import { openPrompt } from '../../../src/runtime/prompt/open-prompt.ts'
import { loadTeam } from '../../../src/index.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

function place(text: string) {
  const root = mkdtempSync(join(tmpdir(), 'troupe-prompt-'))
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, 'AGENTS.md'), text)
  const facts: Fact[] = []
  const day = { now: Date.UTC(2026, 0, 1) }
  const team = sampleTeam(['lead', 'writer'])
  const [card] = team.members
  if (!card) throw new Error('no member')
  const prompt = openPrompt({
    cached: memberSections(team, card),
    volatile: () =>
      contextSections({ cwd: root, home: '/nonexistent', folders: [root], now: day.now, servers: '', memory: '' }),
    note: (fact) => void facts.push(fact),
  })
  return { root, prompt, facts, day }
}

test('two places share the system prompt byte for byte, and differ in the first user message alone', () => {
  const [one, two] = [place('Tabs.'), place('Spaces.')]
  expect(one.prompt.system).toBe(two.prompt.system)
  expect(one.prompt.system).not.toContain(one.root)
  expect(one.prompt.print().fingerprint).not.toBe(two.prompt.print().fingerprint)
  const [first, ...rest] = one.prompt.framed([userMessage('Go.', 'person')])
  expect(first?.role === 'user' && textOf(first)).toMatch(/^<context>[\s\S]*Tabs\.[\s\S]*<\/context>\s*Go\.$/)
  expect(rest).toEqual([])
})

test('a change waits until somebody speaks, then is one epoch that names the section; a date alone is none', () => {
  const { root, prompt, facts, day } = place('Old words.')
  prompt.print()
  const messages: Message[] = [userMessage('Go.', 'person')]
  const before = prompt.framed(messages)
  writeFileSync(join(root, 'AGENTS.md'), 'New words.')
  messages.push(failedAnswer('a/b', { code: 'crashed', message: 'Working.' }))
  expect(prompt.framed(messages)).toBe(before)
  expect(facts).toEqual([])
  messages.push(userMessage('More.', 'person'))
  const [first] = prompt.framed(messages)
  expect(first?.role === 'user' && textOf(first)).toContain('New words.')
  expect(facts).toMatchObject([{ type: 'prompt.changed', epoch: 2, moved: ['instructions'] }])
  day.now += 86_400_000
  prompt.framed(messages)
  expect(facts).toHaveLength(1)
  rmSync(root, { recursive: true })
})

test('memory alone waits until the conversation is made shorter', () => {
  const notes = { memory: 'one' }
  const facts: Fact[] = []
  const prompt = openPrompt({
    cached: [],
    volatile: () => [volatileSection('memory', 'people remember', notes.memory)],
    note: (fact) => void facts.push(fact),
  })
  const messages: Message[] = [userMessage('Go.', 'person')]
  const before = prompt.framed(messages)
  notes.memory = 'two'
  messages.push(userMessage('More.', 'person'))
  expect(prompt.framed(messages)).toBe(before)
  expect(facts).toEqual([])
  const [first] = prompt.framed([userMessage('Shorter.', 'person')])
  expect(first?.role === 'user' && textOf(first)).toContain('two')
  expect(facts).toMatchObject([{ type: 'prompt.changed', moved: ['memory'] }])
})

test('what a person appends comes after the words of the file, for every member', async () => {
  const file = {
    name: 'duo',
    model: 'anthropic/m',
    append_prompt: 'Of the file.',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.' } },
  }
  const env = { ANTHROPIC_API_KEY: 'key' }
  const team = await loadTeam(file, { env, appendSystemPrompt: 'Of a person.' })
  for (const card of team.members) {
    const words = memberSections(team, card).map(({ text }) => text)
    expect(words.join('\n\n')).toMatch(/Of the file\.\s+Of a person\.$/)
  }
})
