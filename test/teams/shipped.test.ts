import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ResolvedTeam } from '../../src/protocol/team/team-card.ts'
import { checkTeamFile, loadTeam, TeamFileError } from '../../src/runtime/team-files/load-team.ts'

const files = globSync('teams/*.yaml')
  .filter((file) => !file.endsWith('.script.yaml'))
  .toSorted()

/** A team on one line per member: what a reader wants to see change. */
function shape(team: ResolvedTeam): readonly string[] {
  const gather = `${JSON.stringify(team.gather.wait)} ${team.gather.timeout_ms / 60_000}m`
  return [
    `${team.name}: ${team.partition}, mode ${team.permissions.mode ?? 'default'}, gather ${gather}`,
    ...team.members.map(({ name, role, tools }) => `${role} ${name}: ${tools.join(' ')}`),
  ]
}

test('the teams that ship resolve to these members', async () => {
  const teams = await Promise.all(files.map((file) => loadTeam(file, { model: 'scripted/x.yaml' })))
  expect(teams.map(shape)).toMatchInlineSnapshot(`
    [
      [
        "pair: enforced, mode default, gather "all" 45m",
        "coordinator lead: ",
        "worker driver: Read Grep Glob LS Edit Write Bash TodoWrite",
        "worker navigator: Read Grep Glob LS Bash",
      ],
      [
        "quickstart: enforced, mode default, gather "all" 2m",
        "coordinator lead: ",
        "worker structure: Bash Read",
        "worker history: Bash",
        "worker risks: Bash Grep Glob",
      ],
      [
        "research: enforced, mode dontAsk, gather "all" 20m",
        "coordinator lead: ",
        "worker researcher-1: Read Grep Glob LS Bash",
        "worker researcher-2: Read Grep Glob LS Bash",
        "worker researcher-3: Read Grep Glob LS Bash",
        "worker skeptic: Read Grep Glob LS Bash",
      ],
      [
        "review: enforced, mode dontAsk, gather "all" 15m",
        "coordinator lead: ",
        "worker correctness: Read Grep Glob LS Bash",
        "worker security: Read Grep Glob LS Bash",
        "worker style: Read Grep Glob LS Bash",
      ],
      [
        "solo: enforced, mode default, gather "all" 45m",
        "coordinator lead: ",
        "worker engineer: Read Grep Glob LS Edit Write Bash TodoWrite",
      ],
    ]
  `)
})

test.for(files)('%s is named after its file, says when to use it, and brings no allow rule', async (file) => {
  const { team } = await checkTeamFile(file)
  expect(team?.name).toBe(basename(file, '.yaml'))
  expect(team?.description).toMatch(/\.$/)
  expect(team?.permissions.allow).toBeUndefined()
  for (const member of team?.members ?? []) {
    expect(member.prompt.length).toBeGreaterThan(50)
    expect(member.permissions.allow).toBeUndefined()
    expect(member.role === 'coordinator' || member.description.length > 10).toBe(true)
  }
})

const scripted = ['teams/quickstart.yaml']

test.for(files.filter((file) => !scripted.includes(file)))(
  '%s lacks a model, says so, and lacks nothing else',
  async (file) => {
    const { diagnostics } = await checkTeamFile(file, { env: {} })
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['warning no_model'])
    await expect(loadTeam(file, { env: {} })).rejects.toBeInstanceOf(TeamFileError)
    expect((await checkTeamFile(file, { env: { TROUPE_MODEL: 'openai/x', OPENAI_API_KEY: 'k' } })).diagnostics).toEqual(
      [],
    )
  },
)

test.for(scripted)('%s needs no model', async (file) => {
  expect((await checkTeamFile(file, { env: {} })).diagnostics).toEqual([])
  expect((await loadTeam(file, { env: { TROUPE_MODEL: 'anthropic/x' } })).members[0]?.model).toMatch(/^scripted\//)
})

test('the quickstart script speaks for the members of its team and nobody else', async () => {
  const script = parse(readFileSync('teams/scripts/quickstart.yaml', 'utf8')) as { agents: Record<string, unknown> }
  const team = await loadTeam('teams/quickstart.yaml')
  expect(Object.keys(script.agents).toSorted()).toEqual(team.members.map(({ name }) => name).toSorted())
})
