import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { proposalsIn } from '../../../src/rules/hooks/hook-proposals.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

function desk(files: Readonly<Record<string, string>>) {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const troupe = async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home, env: { PATH: process.env['PATH'] }, policyRoot: join(home, 'policy') })
    const code = await main(args, host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
  return { troupe, cwd }
}

const hooks = (command: string) => ({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] })
const team = {
  name: 'duo',
  model: 'scripted/none',
  hooks: hooks('echo of the team'),
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', hooks: hooks('echo of the card') } },
}
const files = {
  '~/.claude/settings.json': JSON.stringify({ hooks: hooks('echo of the person') }),
  'teams/duo.yaml': JSON.stringify(team),
  '.claude/skills/deploy/SKILL.md': `---\nname: deploy\ndescription: Deploys.\nhooks: ${JSON.stringify(hooks('echo of the skill'))}\n---\nDeploy.\n`,
  'call.json': JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'ls' } }),
}

test('the list holds the hooks of every source, and says which of them nobody trusts yet', async () => {
  const { troupe } = desk(files)
  const before = await troupe('hooks', 'ls', '--team', 'duo')
  expect(before.out).toMatch(/^PreToolUse +Bash +command +runs +user +.*echo of the person$/m)
  expect(before.out).toMatch(/Not trusted[^]*of the team[^]*of the card[^]*of the skill/)
  await troupe('trust', 'duo')
  await troupe('trust')
  const after = await troupe('hooks', 'ls', '--team', 'duo')
  expect(after.out).not.toContain('Not trusted')
  for (const source of ['user', 'team', 'member', 'skill'])
    expect(after.out).toMatch(new RegExp(`^PreToolUse +Bash +command +runs +${source} `, 'm'))
  const tried = await troupe('hooks', 'test', 'PreToolUse', '--input', 'call.json', '--team', 'duo')
  expect(tried.out.match(/^success/gm)).toHaveLength(4)
})

test('a rule that a hook proposes is saved by the command that stands beside it', async () => {
  const { troupe, cwd } = desk({})
  const rules = [{ toolName: 'Bash', ruleContent: "echo 'it is' $(touch made)" }]
  const [said = ''] = proposalsIn([{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }])
  const [, line = ''] = /\(troupe (.*)\)$/.exec(said) ?? []
  // The shell takes the command apart, and runs nothing of it.
  const words = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { cwd, encoding: 'utf8' }).split('\0')
  expect((await troupe(...words.slice(0, -1))).code).toBe(0)
  expect(readFileSync(join(cwd, '.troupe/settings.local.json'), 'utf8')).toContain("echo 'it is'")
})

test('a try of an asynchronous hook waits for its word, and says that the model hears it later', async () => {
  const hook = {
    type: 'command',
    command: `printf '{"systemMessage":"linted","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"two warnings"}}'`,
    async: true,
  }
  const settings = JSON.stringify({ hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [hook] }] } })
  const { troupe } = desk({
    '~/.claude/settings.json': settings,
    'call.json': JSON.stringify({ tool_name: 'Edit', tool_input: { file_path: 'a' } }),
  })
  const { out, code } = await troupe('hooks', 'test', 'PostToolUse', '--input', 'call.json')
  expect(code).toBe(0)
  expect(out).toContain('told to the model later: two warnings')
})
