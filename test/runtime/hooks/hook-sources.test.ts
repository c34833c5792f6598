import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { hookText } from '../../../src/rules/hooks/read-hooks.ts'
import { teamGrants } from '../../../src/rules/settings/settings-trust.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { play, tempDir } from '../support/stage.ts'
import { writeFileSync } from 'node:fs'

/** Hooks of team files, cards, skills and programs: who hears them, and that nothing runs before it is trusted. */

const veto = (words: string) => ({ type: 'command', command: `echo '${words}' >&2; exit 2` })
const beforeBash = (hook: object) => ({ PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] })
const bash = { calls: [{ tool: 'Bash', input: { command: 'echo ran' } }] }
const delegate = (...workers: string[]) => ({
  calls: [{ tool: 'Delegate', input: { subtasks: workers.map((worker) => ({ worker, task: 'x' })) } }],
})

interface Case {
  readonly team?: object
  readonly ana?: object
  readonly files?: Readonly<Record<string, string>>
  readonly options?: object
  readonly steps?: readonly object[]
}

async function played({ team = {}, ana = {}, files = {}, options = {}, steps = [bash] }: Case) {
  const card = {
    description: 'Works.',
    prompt: 'You work.',
    tools: ['Bash', 'Skill'],
    permissions: { allow: ['Bash'] },
  }
  const workers = { ana: { ...card, ...ana }, ben: card }
  const whole = { name: 'trio', coordinator: { prompt: 'You lead.' }, workers, ...team }
  const script = {
    lead: { steps: [delegate('ana', 'ben'), { say: 'Done.' }] },
    ana: { steps: [...steps, { say: 'Done.' }] },
    ben: { steps: [bash, { say: 'Done.' }] },
  }
  const { recorded, result } = await play(whole, script, { files, trusted: true, ...options })
  await result
  const told = (owner: string): string =>
    recorded
      .flatMap(({ owner: of, entry }) =>
        of === owner && entry.type === 'message.appended' && entry.message.role === 'tool'
          ? entry.message.results.map(textOf)
          : [],
      )
      .join('\n')
  const ran = recorded.flatMap(({ entry }) => (entry.type === 'hook.ran' ? [entry] : []))
  return { ana: told('ana'), ben: told('ben'), ran }
}

test('a hook of a team file is for all members, one of a card for that member alone', async () => {
  const { ana, ben, ran } = await played({ team: { hooks: beforeBash(veto('of the team')) } })
  expect([ana, ben].map((told) => told.includes('of the team'))).toEqual([true, true])
  expect(ran.map(({ source }) => source)).toEqual(['team', 'team'])
  const own = await played({ ana: { hooks: beforeBash(veto('of the card')) } })
  expect([own.ana, own.ben].map((told) => told.includes('of the card'))).toEqual([true, false])
  expect(own.ran.map(({ source }) => source)).toEqual(['member'])
})

test('hooks of a team file run once their very text is trusted', async () => {
  const hooks = beforeBash(veto('of the team'))
  const quiet = await played({ team: { hooks }, options: { trusted: false } })
  expect(quiet.ran).toEqual([])
  const dir = tempDir()
  const worker = { description: 'Works.', prompt: 'You work.' }
  const text = JSON.stringify({
    name: 'duo',
    model: 'scripted/s.yaml',
    hooks,
    coordinator: {},
    workers: { ana: worker },
  })
  writeFileSync(join(dir, 'team.yaml'), text)
  const team = await loadTeam(join(dir, 'team.yaml'), { env: {} }).catch(() => null)
  const grants = team === null ? [] : teamGrants(team).map(({ text: grant }) => grant)
  const [hook] = team?.hooks ?? []
  expect(hook && grants).toContain(hook && hookText(hook))
})

test('a hook of a subagent card counts, and its Stop is the end of a worker', async () => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo heard >&2; exit 1' }] }] }
  const text = `---\nname: ana\ndescription: Works.\nhooks: ${JSON.stringify(hooks)}\n---\nYou work.\n`
  const { ran } = await played({ files: { 'teams/ana.md': text }, ana: { from: './ana.md' } })
  expect(ran).toMatchObject([{ event: 'SubagentStop', source: 'member', outcome: 'error', message: 'heard' }])
})

test('under `safety` a hook of a team file that fails says no', async () => {
  const broken = { type: 'command', command: './nowhere' }
  const open = await played({ team: { hooks: beforeBash(broken) } })
  expect(open.ana).toContain('ran')
  const closed = await played({ team: { safety: true, hooks: beforeBash(broken) } })
  expect(closed.ana).toContain('a hook that has to answer failed')
})

test('a hook of a skill runs from the opening of the skill on', async () => {
  const hooks = JSON.stringify({ PreToolUse: [{ matcher: 'Bash', hooks: [{ ...veto('of the skill'), timeout: 9 }] }] })
  const skill = `---\nname: deploy\ndescription: Deploys.\nhooks: ${hooks}\n---\nDeploy.\n`
  const files = { '.claude/skills/deploy/SKILL.md': skill }
  const open = { calls: [{ tool: 'Skill', input: { skill: 'deploy' } }] }
  const { ana, ben, ran } = await played({ files, steps: [bash, open, bash] })
  expect(ana).toContain('ran')
  expect(ana).toContain('of the skill')
  expect(ben).not.toContain('of the skill')
  expect(ran.map(({ source }) => source)).toEqual(['skill'])
})

test('a person may switch off all that is not managed, a project only its own', async () => {
  const team = { hooks: beforeBash(veto('of the team')) }
  const off = JSON.stringify({ disableAllHooks: true })
  const { ran } = await played({ team, files: { '.claude/settings.json': off } })
  expect(ran).toEqual([])
  const run = (): object => ({ decision: 'block', reason: 'of the program' })
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'function', run }] }] }
  const own = await played({ options: { hooks }, files: { '.claude/settings.json': off } })
  expect(own.ana).toContain('of the program')
  expect((await played({ options: { hooks }, files: { 'home/.claude/settings.json': off } })).ran).toEqual([])
})

test('a mistake in the hooks of a team file is told with its place', async () => {
  const wrong = { hooks: { PreToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'x' }] }] } }
  await expect(played({ team: wrong })).rejects.toThrow(/is no regular expression/)
  await expect(played({ team: { hooks: { PreTolUse: [] } } })).rejects.toThrow(/PreTolUse/)
})
