import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Entry, Recorded } from '../../src/protocol/facts/entry.ts'
import type { Approver } from '../../src/protocol/port.ts'
import { play } from './support/stage.ts'

const of = <Type extends Entry['type']>(recorded: readonly Recorded[], type: Type, who = 'ana') =>
  recorded.flatMap(({ owner, entry }) =>
    owner === who && entry.type === type ? [entry as Extract<Entry, { type: Type }>] : [],
  )
const results = (recorded: readonly Recorded[]) =>
  of(recorded, 'message.appended').flatMap(({ message }) =>
    message.role === 'tool'
      ? message.results.map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')).join(''))
      : [],
  )
const duo = (worker: object, coordinator: object = {}) => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.', ...coordinator },
  workers: { ana: { description: 'Works.', prompt: 'You work.', ...worker } },
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
const open = (skill: string, args?: string, more: object = {}) => ({
  calls: [{ tool: 'Skill', input: { skill, ...(args === undefined ? {} : { args }) } }],
  ...more,
})
const bash = (command: string, more: object = {}) => ({ calls: [{ tool: 'Bash', input: { command } }], ...more })
const skill = (name: string, head: string, body: string): string =>
  `---\nname: ${name}\ndescription: Serves ${name}.\n${head}---\n${body}\n`
const nobody: Approver = {
  answer: () => Promise.resolve({ behavior: 'deny', source: 'human', reason: 'no', scope: 'once' }),
}

describe('a member with the tool Skill', () => {
  test('is told of skills, opens one, reads its files and runs its script under its own rules', async () => {
    const files = {
      '.troupe/skills/greet/SKILL.md': skill(
        'greet',
        '',
        'Say $0 to $ARGUMENTS. Run scripts/hi.sh. See !`echo from the shell`',
      ),
      '.troupe/skills/greet/scripts/hi.sh': 'echo hi there\n',
      '.troupe/skills/greet/notes.md': 'The notes.\n',
    }
    const steps = script(
      open('greet', 'hello "old world"', { expect: '- greet: Serves greet.' }),
      { calls: [{ tool: 'Read', input: { file_path: '.troupe/skills/greet/notes.md' } }], expect: 'from the shell' },
      bash('sh .troupe/skills/greet/scripts/hi.sh', { expect: 'The notes.' }),
      bash('rm .troupe/skills/greet/notes.md', { expect: 'hi there' }),
      { say: 'Done.', expect: 'closed to agents' },
    )
    const team = duo({ tools: ['Skill', 'Read', 'Bash'], permissions: { allow: ['Bash(sh:*)', 'Bash(rm:*)'] } })
    const { recorded, result, cwd } = await play(team, steps, { files, approver: nobody, trusted: true })
    expect(await result).toMatchObject({ status: 'completed', result: 'ana: Done.' })
    const [opened] = results(recorded)
    expect(opened).toContain('Say hello to hello "old world". Run scripts/hi.sh. See from the shell')
    expect(opened).toContain(`Its folder is ${join(cwd, '.troupe/skills/greet')}`)
    expect(opened).toContain('notes.md, scripts/hi.sh')
    expect(of(recorded, 'skill.opened')).toMatchObject([{ skill: 'greet', source: 'project', allow: [] }])
  })

  test('may use the rules of a trusted skill for as long as this work lasts', async () => {
    const head = 'allowed-tools: Bash(touch one two)\ndisallowed-tools: Bash(pwd)\n'
    const files = { '.claude/skills/make/SKILL.md': skill('make', head, 'Make it.') }
    const steps = script(
      bash('touch one two'),
      open('make'),
      bash('touch one two', { expect: 'Make it.' }),
      bash('pwd'),
      { say: 'Done.' },
    )
    for (const trusted of [true, false]) {
      const team = duo({ tools: ['Skill', 'Bash'] })
      const { recorded, result } = await play(team, steps, { files, approver: nobody, trusted })
      await result
      expect(of(recorded, 'skill.opened')[0]?.allow).toEqual(trusted ? ['Bash(touch one two)'] : [])
      const decided = of(recorded, 'permission.decided').map(({ decision }) => decision.behavior)
      expect(decided).toEqual(['deny', 'allow', trusted ? 'allow' : 'deny', 'deny'])
    }
  })

  test('has its commands run only as the member itself may run them', async () => {
    const body = 'One: !`echo one`. Two: !`touch made`.\n```!\necho three\n```\n```\n!`touch fenced`\n```'
    const files = { '.claude/skills/run/SKILL.md': skill('run', '', body) }
    const denied = duo({ tools: ['Skill', 'Bash'], permissions: { deny: ['Bash(touch:*)'] } })
    const { recorded, result, cwd } = await play(denied, script(open('run'), { say: 'Done.' }), { files })
    await result
    const [opened = ''] = results(recorded)
    expect(opened).toContain('One: one. Two: [Not run: touch made: ')
    expect(opened).toContain('three')
    expect(opened).toContain('!`touch fenced`')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
    const bare = await play(duo({ tools: ['Skill'] }), script(open('run'), { say: 'Done.' }), { files })
    await bare.result
    expect(results(bare.recorded)[0]).toContain('One: [Not run, for you have no Bash: echo one]')
  })

  test('asks a person about a command, who finds each under a request of its own', async () => {
    const files = { '.claude/skills/two/SKILL.md': skill('two', '', '!`touch a` !`touch b`') }
    const asked: unknown[] = []
    const approver: Approver = {
      answer({ call }) {
        asked.push(call.input)
        return Promise.resolve({ behavior: 'allow', source: 'human', reason: 'yes', scope: 'once' })
      },
    }
    const steps = script(open('two'), { say: 'Done.' })
    const { recorded, result, cwd } = await play(duo({ tools: ['Skill', 'Bash'] }), steps, { files, approver })
    await result
    expect(asked).toEqual([{ command: 'touch a' }, { command: 'touch b' }])
    const requests = of(recorded, 'permission.requested').map(({ request }) => request)
    expect(new Set(requests).size).toBe(2)
    expect(existsSync(join(cwd, 'b'))).toBe(true)
  })

  test('does not open what is unlisted, unknown, broken or denied', async () => {
    const files = {
      '.claude/skills/mine/SKILL.md': skill('mine', 'disable-model-invocation: true\n', 'Secret.'),
      '.claude/skills/bad/SKILL.md': '---\nname: [\n---\n',
      '.claude/skills/fine/SKILL.md': skill('fine', '', 'Fine.'),
    }
    const steps = script(open('mine'), open('fnie'), open('bad'), open('fine'), { say: 'Done.' })
    const team = duo({ tools: ['Skill'], permissions: { deny: ['Skill(fine)'] } })
    const { recorded, result } = await play(team, steps, { files })
    await result
    const [mine, unknown, bad, fine] = results(recorded)
    expect(mine).toContain('there is no skill "mine"')
    expect(unknown).toContain('did you mean "fine"')
    expect(bad).toMatch(/the skill "bad" cannot be used: .*SKILL\.md:\d/)
    expect(fine).toContain('Skill(fine)')
    expect(of(recorded, 'warning.raised').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the skill \.claude\/skills\/bad cannot be used: .*SKILL\.md:\d/),
    ])
  })

  test('hears of new skills when somebody speaks to it, as one new epoch', async () => {
    const files = { '.claude/skills/old/SKILL.md': skill('old', '', 'Old.') }
    const steps = script(
      {
        calls: [
          {
            tool: 'Write',
            input: { file_path: '.agents/skills/new-one/SKILL.md', content: skill('new-one', '', 'New.') },
          },
          {
            tool: 'Write',
            input: { file_path: '.agents/skills/new-two/SKILL.md', content: skill('new-two', '', 'New.') },
          },
        ],
        expect: '- old: Serves old.',
      },
      { say: 'First.' },
      { say: 'Second.', expect: ['- old: ', '- new-one: ', '- new-two: '] },
    )
    const again = {
      ...steps,
      lead: {
        steps: [
          { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Make it.' }] } }] },
          { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Again.' }] } }] },
          { say: 'ana: {{mail.ana}}' },
        ],
      },
    }
    const approver: Approver = {
      answer: () => Promise.resolve({ behavior: 'allow', source: 'human', reason: 'yes', scope: 'once' }),
    }
    const { recorded, result } = await play(duo({ tools: ['Skill', 'Write'] }), again, { files, approver })
    expect(await result).toMatchObject({ status: 'completed', result: 'ana: Second.' })
    expect(of(recorded, 'prompt.changed')).toMatchObject([{ epoch: 2, moved: ['skills'] }])
  })
})

test('a card gives a skill from the beginning, and a coordinator may open one', async () => {
  const files = {
    '.claude/skills/style/SKILL.md': skill('style', '', 'Write ${CLAUDE_SKILL_DIR}. !`touch made`'),
    '.claude/skills/lead/SKILL.md': skill('lead', '', 'Lead well. !`touch made`'),
  }
  const team = duo({ tools: ['Read'], skills: ['style', 'sytle'] }, { tools: ['Skill'] })
  const { lead, ana } = script({ say: 'Done.', expect: ['/.claude/skills/style.', '[Not run: touch made]'] })
  const steps = {
    ana,
    lead: { steps: [open('lead'), { ...lead.steps[0], expect: 'Lead well. [Not run, for you' }, lead.steps[1]] },
  }
  const { recorded, result, cwd } = await play(team, steps, { files })
  expect(await result).toMatchObject({ status: 'completed', result: 'ana: Done.' })
  expect(existsSync(join(cwd, 'made'))).toBe(false)
  expect(of(recorded, 'warning.raised').map(({ message }) => message)).toEqual([
    expect.stringContaining('ana is to have the skill "sytle"'),
  ])
})
