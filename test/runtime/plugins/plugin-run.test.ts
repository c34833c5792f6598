import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { desk } from './plugin-desk.ts'

const team = {
  name: 'shop',
  model: 'scripted/script.yaml',
  partition: 'relaxed',
  coordinator: { prompt: 'You lead.', tools: ['Bash', 'Read', 'Delegate'] },
  workers: { reviewer: { from: 'fmt:reviewer' } },
}
const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'reviewer', task: 'Go.' }] } }] },
      { say: '{{mail.reviewer}}' },
    ],
  },
  reviewer: {
    steps: [
      { calls: [{ tool: 'mcp__plugin_fmt_odd__echo', input: { text: 'hello' }, as: 'a' }] },
      { calls: [{ tool: 'Bash', input: { command: 'true' } }] },
      { say: 'It said {{a.text}}.' },
    ],
  },
}

test('a team uses the hooks, commands, agents and servers of a trusted plugin', async () => {
  const { cwd, home, env, add } = desk()
  writeFileSync(join(cwd, 'team.yaml'), stringify(team))
  writeFileSync(join(cwd, 'script.yaml'), stringify({ agents: script }))
  await add('keep')
  await expect(loadTeam(join(cwd, 'team.yaml'), { cwd, env })).rejects.toThrow('nobody trusts the plugin "fmt" yet')
  await add('trust')
  const loaded = await loadTeam(join(cwd, 'team.yaml'), { cwd, env })
  const rules = { allow: ['Bash(true)', 'mcp__plugin_fmt_odd'] }
  const run = runTeam(loaded, { task: '/fmt:review', cwd, home, env, rules })
  const recorded: Recorded[] = []
  run.subscribe((fact) => recorded.push(fact))
  expect(await run.result).toMatchObject({ status: 'completed', result: 'It said plain: hello ä€😀.' })
  const texts = recorded.flatMap(({ entry }) =>
    entry.type === 'message.appended' && entry.message.role === 'user' ? [textOf(entry.message)] : [],
  )
  expect(texts.find((text) => text.startsWith('<command name="fmt:review"'))).toContain('No tabs at all.')
  expect(existsSync(join(cwd, 'by-command'))).toBe(true)
  // For the command's own `touch`, and for the call of the reviewer.
  expect(readFileSync(join(cwd, 'hooked'), 'utf8')).toBe('ran\nran\n')
  expect(recorded.filter(({ entry }) => entry.type === 'skill.opened').map(({ entry }) => entry)).toMatchObject([
    { skill: 'fmt:review', source: 'plugin', allow: ['Bash(touch by-command)'] },
  ])
})

test('a plugin whose policy switches hooks off runs none', async () => {
  const { cwd, home, env, add } = desk()
  const bare = { ...team, workers: { reviewer: { description: 'Idles.', prompt: 'You idle.' } } }
  writeFileSync(join(cwd, 'team.yaml'), stringify(bare))
  writeFileSync(join(cwd, 'script.yaml'), stringify({ agents: { lead: { steps: [{ say: 'Done.' }] } } }))
  await add('trust')
  const policyRoot = join(cwd, 'policy')
  mkdirSync(policyRoot)
  writeFileSync(join(policyRoot, 'policy.json'), JSON.stringify({ allowManagedHooksOnly: true }))
  const loaded = await loadTeam(join(cwd, 'team.yaml'), { cwd, env })
  await runTeam(loaded, { task: '/fmt:review', cwd, home, env, policyRoot }).result
  expect(existsSync(join(cwd, 'by-command'))).toBe(true)
  expect(existsSync(join(cwd, 'hooked'))).toBe(false)
})
