import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { textOf } from '../../src/protocol/conversation/message.ts'
import type { Entry, Recorded } from '../../src/protocol/facts/entry.ts'
import type { Approver } from '../../src/protocol/port.ts'
import { sendMail } from '../../src/runtime/mail/send-mail.ts'
import { continueTeam } from '../../src/runtime/run/continue-team.ts'
import { play } from './support/stage.ts'

const of = <Type extends Entry['type']>(recorded: readonly Recorded[], type: Type, who = 'lead') =>
  recorded.flatMap(({ owner, entry }) =>
    owner === who && entry.type === type ? [entry as Extract<Entry, { type: Type }>] : [],
  )
/** The texts of commands as the model read them. */
const read = (recorded: readonly Recorded[], who = 'lead') =>
  of(recorded, 'message.appended', who)
    .map(({ message }) => (message.role === 'tool' ? '' : textOf(message)))
    .filter((text) => text.startsWith('<command '))
const solo = (more: object = {}) => ({
  name: 'solo',
  partition: 'relaxed',
  coordinator: { prompt: 'You work.', ...more },
  workers: { idle: { description: 'Idles.', prompt: 'You idle.' } },
})
const script = (...steps: readonly object[]) => ({ lead: { steps } })
const nobody: Approver = {
  answer: () => Promise.resolve({ behavior: 'deny', source: 'human', reason: 'no', scope: 'once' }),
}

test('a task that calls a command has its text read, with arguments, commands and files', async () => {
  const files = {
    '.claude/commands/ci/review.md':
      '---\ndescription: Reviews.\nargument-hint: "[commit]"\n---\nReview $1 as @rules.md says: !`echo out of the shell` !`touch made` @missing.md @/etc/passwd',
    'rules.md': 'No tabs.\n',
  }
  const team = solo({ tools: ['Bash', 'Read'], permissions: { deny: ['Bash(touch:*)'] } })
  const steps = script({ say: 'Fine.', expect: 'out of the shell' })
  const { recorded, result, cwd } = await play(team, steps, { files, task: '/review HEAD~3', approver: nobody })
  expect(await result).toMatchObject({ status: 'completed', result: 'Fine.' })
  const [text = '', ...others] = read(recorded)
  expect(others).toEqual([])
  expect(text).toMatch(/^<command name="review" of="lead-\d+">\nReview HEAD~3 as @rules\.md\n/)
  expect(text).toContain('No tabs.')
  expect(text).toContain('[Not run: touch made: ')
  expect(text).toContain('@missing.md')
  expect(text).toContain('[Not read: /etc/passwd: ')
  expect(text).not.toContain('root:')
  expect(existsSync(join(cwd, 'made'))).toBe(false)
  expect(of(recorded, 'skill.opened')).toMatchObject([{ skill: 'review', by: 'person', source: 'project', allow: [] }])
})

test('a member without the tools is told so, and words that name no command stay words', async () => {
  const files = { '.troupe/commands/look.md': 'See !`echo hidden` and @a.md', 'a.md': 'hidden' }
  const bare = await play(solo(), script({ say: 'Done.' }), { files, task: '/look' })
  await bare.result
  expect(read(bare.recorded)[0]).toContain('[Not run, for you have no Bash: echo hidden]')
  expect(read(bare.recorded)[0]).toContain('[Not read, for you have no Read: a.md]')
  const words = await play(solo(), script({ say: 'Done.' }), { files, task: '/tmp is full' })
  await words.result
  expect(read(words.recorded)).toEqual([])
  expect(of(words.recorded, 'skill.opened')).toEqual([])
})

test('rules of a command count when a person trusts them, for as long as the work lasts', async () => {
  const files = { '.claude/commands/make.md': '---\nallowed-tools: Bash(touch one two)\n---\n!`touch one two`' }
  for (const trusted of [true, false]) {
    const { recorded, result, cwd } = await play(solo({ tools: ['Bash'] }), script({ say: 'Done.' }), {
      files,
      task: '/make',
      approver: nobody,
      trusted,
    })
    await result
    expect(of(recorded, 'skill.opened')[0]?.allow).toEqual(trusted ? ['Bash(touch one two)'] : [])
    expect(existsSync(join(cwd, 'one'))).toBe(trusted)
  }
})

test('mail of a person and words to an ended run call commands too; a skill is called by its name', async () => {
  const files = {
    '.claude/commands/tell.md': 'Tell $ARGUMENTS.',
    '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet $0.',
    '.claude/skills/own/SKILL.md': '---\nname: own\ndescription: Own.\nuser-invocable: false\n---\nSecret.',
  }
  const steps = script({ say: 'One.' }, { say: 'Two.', expect: 'Tell a b.' }, { say: 'Three.', expect: 'Greet ann.' })
  const { recorded, result, run, cwd } = await play(solo(), steps, { files, task: '/own' })
  expect(await result).toMatchObject({ result: 'One.' })
  expect(read(recorded)).toEqual([])
  const [home, env] = [join(cwd, 'home'), {}]
  await sendMail(run.dir, { to: 'lead@solo', text: '/tell a b', home })
  const again = await continueTeam(run.dir, { text: '/greet ann', home, env })
  const heard: Recorded[] = []
  again.subscribe((fact) => heard.push(fact))
  await again.result
  expect(read(heard).map((text) => text.split('\n')[1])).toEqual(['Tell a b.', 'Greet ann.'])
})

test('a model opens a command that is described as it opens a skill', async () => {
  const files = {
    '.claude/commands/told.md': '---\ndescription: Told.\n---\nFor $1.',
    '.claude/commands/untold.md': 'For persons.',
  }
  const open = (skill: string, more: object = {}) => ({
    calls: [{ tool: 'Skill', input: { skill, args: 'x' } }],
    ...more,
  })
  const steps = script(open('untold', { expect: '- told: Told.' }), open('told', { expect: 'Nothing was opened' }), {
    say: 'Done.',
    expect: 'For x.',
  })
  const { result } = await play(solo({ tools: ['Skill'] }), steps, { files })
  expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
})

test('a command names the model that answers it; one that cannot be opened leaves the own one', async () => {
  const other = { lead: { steps: [{ say: 'From the other.', expect: 'Do it.' }] } }
  const command = (model: string) => ({
    '.claude/commands/ask.md': `---\nmodel: ${model}\n---\nDo it.`,
    'teams/other.yaml': stringify({ agents: other }),
  })
  const named = await play(solo(), script({ say: 'From my own.' }), {
    files: command('scripted/other.yaml'),
    task: '/ask',
  })
  expect(await named.result).toMatchObject({ result: 'From the other.' })
  expect(of(named.recorded, 'model.settled').map(({ model }) => model)).toEqual(['scripted/other.yaml'])
  const lost = await play(solo(), script({ say: 'From my own.' }), { files: command('nobody/nothing'), task: '/ask' })
  expect(await lost.result).toMatchObject({ result: 'From my own.' })
  expect(of(lost.recorded, 'warning.raised').map(({ code }) => code)).toContain('command_model')
})
