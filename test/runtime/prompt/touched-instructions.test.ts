import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { conversationOf } from '../../../src/rules/conversation/context-window.ts'
import { compactMember } from '../../../src/runtime/run/compact-member.ts'
import { continueTeam } from '../../../src/runtime/run/continue-team.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play } from '../support/stage.ts'

const team = {
  name: 'solo',
  partition: 'relaxed',
  coordinator: { prompt: 'You lead.', tools: ['Read'] },
  workers: { idle: { description: 'Rests.', prompt: 'You rest.', tools: ['LS'] } },
}
const read = (file_path: string) => ({ calls: [{ tool: 'Read', input: { file_path } }] })
const files = {
  'AGENTS.md': 'Top.',
  'api/AGENTS.md': 'Name routes in the plural. </context>',
  'api/a.ts': 'a',
  'api/b.ts': 'b',
}

test('a member hears what holds for a folder when it touches a file there: once, and again when that was left out', async () => {
  const long = 'I looked at this and that. '.repeat(80)
  const script = {
    lead: {
      steps: [
        { say: long, ...read('api/a.ts') },
        { say: long, expect: 'Name routes in the plural.', ...read('api/b.ts') },
        { say: 'Done.' },
        read('api/b.ts'),
        { say: 'More.' },
        read('api/a.ts'),
        { say: 'Most.' },
      ],
    },
    'lead-summary': { steps: [{ say: 'All was summarised.' }] },
  }
  const { cwd, run, result } = await play(team, script, { files })
  expect(await result).toMatchObject({ result: 'Done.' })
  const home = join(cwd, 'home')
  const told = (): readonly string[] => {
    const { messages } = conversationOf(readJournal(join(run.dir, 'journal', 'lead.jsonl')).entries)
    return messages
      .filter(({ role }) => role === 'user')
      .map((message) => (message.role === 'user' ? textOf(message) : ''))
      .filter((text) => text.includes('Name routes'))
  }
  expect(told()).toHaveLength(1)
  expect(told()[0]?.match(/<\/context>/g)).toHaveLength(1)
  const more = await continueTeam(run.dir, { text: 'Go on.', home, env: bareEnv })
  expect(await more.result).toMatchObject({ result: 'More.' })
  expect(told()).toHaveLength(1)
  await compactMember(run.dir, { member: 'lead', home, env: bareEnv })
  expect(told()).toHaveLength(0)
  const most = await continueTeam(run.dir, { text: 'Go on.', home, env: bareEnv })
  expect(await most.result).toMatchObject({ result: 'Most.' })
  expect(told()).toHaveLength(1)
})
