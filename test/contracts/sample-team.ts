import type { MemberCard, ResolvedTeam } from '../../src/protocol/team/team-card.ts'

/** A small resolved team; the first name is the coordinator. */
export function sampleTeam(names: readonly string[] = ['lead', 'writer']): ResolvedTeam {
  return {
    name: 'demo',
    description: 'Writes a note.',
    file: '/project/teams/demo.yaml',
    budget: { usd: 1 },
    partition: 'enforced',
    scope: [],
    permissions: {},
    gather: { wait: 'all', timeout_ms: 600_000, retry: 1, then: 'continue' },
    coordinator: names[0] ?? 'lead',
    members: names.map((name, index) => card(name, index === 0 ? 'coordinator' : 'worker')),
    hash: 'sha256-of-the-team',
  }
}

function card(name: string, role: MemberCard['role']): MemberCard {
  return {
    name,
    role,
    card: name,
    description: `The ${name}.`,
    prompt: 'You work.',
    tools: role === 'worker' ? ['Read'] : [],
    model: 'scripted/demo.script.yaml',
    permissions: {},
    budget: {},
    executor: 'in-process',
    isolation: 'none',
    restart: 'on-crash',
    max_turns: 40,
  }
}
