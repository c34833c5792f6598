import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDoorbell } from '../src/adapters/mailbox/watch/doorbell.ts'
import { sealOf } from '../src/adapters/mailbox/files/read-mail.ts'
import { createRun } from '../src/adapters/sessions/run-directory.ts'
import type { Recorded } from '../src/protocol/facts/entry.ts'
import type { MemberCard, ResolvedTeam } from '../src/protocol/team/team-card.ts'
import { broadcast } from '../src/runtime/actors/broadcast.ts'
import { systemClock } from '../src/runtime/actors/clock.ts'
import { openApprovals } from '../src/runtime/permissions/approvals.ts'
import { workerTurn } from '../src/runtime/member/member-deps.ts'
import { runMail } from '../src/runtime/context/mail-options.ts'
import { startMember, type LocalMember } from '../src/runtime/member/start-member.ts'
import type { Delta } from '../src/runtime/agent/agent-deps.ts'
import { openBudgets } from '../src/runtime/budget/budgets.ts'
import { nestingOf } from '../src/runtime/runs/nesting.ts'
import { openBreakers } from '../src/runtime/recovery/breakers.ts'
import type { RunContext } from '../src/runtime/context/run-context.ts'
import { turnToolSets } from '../src/runtime/agent/turn-tools.ts'
import { givenHooks } from '../src/runtime/hooks/run-hooks.ts'

/*
 * How long it takes until N members of one process are idle, and what memory they hold: real journals, inboxes and
 * leases on disk, no model. `node bench/idle-members.ts [N]` prints one JSON line.
 */
const count = Number(process.argv[2] ?? 1_000)
const cwd = mkdtempSync(join(tmpdir(), 'troupe-idle-'))
const context = await contextIn(cwd)
const tools = turnToolSets()

const before = process.memoryUsage.rss()
const started = performance.now()
const members = context.team.members.slice(1).map(begin)
await Promise.all(members.map((member) => member.ready))
const ms = performance.now() - started
const megabytes = (process.memoryUsage.rss() - before) / 1e6
for (const member of members) member.shutdown('measured')
await Promise.all(members.map((member) => member.gone))
rmSync(cwd, { recursive: true, force: true })
console.log(JSON.stringify({ members: count, ms: Math.round(ms), megabytes: Math.round(megabytes) }))

function begin(card: MemberCard): LocalMember {
  const { clock, team } = context
  return startMember({
    context,
    card,
    leadTurn: workerTurn(card, tools),
    actions: {
      team: team.name,
      recipients: () => [],
      delegation: null,
      now: clock.now,
      stop: ({ worker }) => ({ id: worker }),
      refusal: () => null,
    },
    crashed(error) {
      throw error
    },
    nested: {},
  })
}

async function contextIn(dir: string): Promise<RunContext> {
  const clock = systemClock()
  const team = teamOf(count)
  const root = join(dir, '.troupe', 'runs')
  const run = createRun({ root, home: dir, team, task: '', cwd: dir, git_head: null, ulid: clock.mint(), created: 0 })
  const approvals = await openApprovals({ dir: run.dir, run: run.id, team, cwd: dir, home: dir, env: {}, clock }, {})
  return {
    team,
    roster: team.members.map(({ name }) => name),
    run,
    clock,
    cwd: dir,
    workplace: () => ({ cwd: dir, tree: null }),
    mcp: null,
    skills: null,
    hooks: givenHooks({}, []),
    executors: {},
    home: dir,
    env: {},
    ownEnv: {},
    chosen: [],
    earlier: { recorded: [], positions: new Map() },
    policy: () => ({
      mode: 'default',
      rules: {},
      bounds: { protected: [], scope: [], blockedHosts: [] },
      directories: [],
    }),
    settings: null,
    trusted: () => [],
    approvals,
    models: new Map([['none/none', { name: 'none/none', stream: () => silence() }]]),
    pricing: { price: async () => null, sizes: () => ({ max_output: null, window: null }) },
    doorbell: createDoorbell(),
    breakers: openBreakers(clock),
    nesting: nestingOf({}, team),
    budgets: openBudgets({ team, now: clock.now, earlier: [] }),
    tools: [],
    seal: sealOf(new Uint8Array(32)),
    box: runMail({ run, team, clock, mail: {} }),
    deliverability: () => null,
    facts: broadcast<Recorded>(),
    live: null,
    deltas: broadcast<Delta>(),
    distant: broadcast<Delta>(),
    room: () => Promise.resolve(),
  }
}

async function* silence() {}

function teamOf(workers: number): ResolvedTeam {
  const names = Array.from({ length: workers }, (_, index) => `worker-${index + 1}`)
  return {
    name: 'crowd',
    description: 'Members that wait.',
    file: '/crowd.yaml',
    budget: {},
    partition: 'enforced',
    scope: [],
    permissions: {},
    gather: { wait: 'all', timeout_ms: 1_000, retry: 0, then: 'continue' },
    coordinator: 'lead',
    members: [card('lead', 'coordinator'), ...names.map((name) => card(name, 'worker'))],
    hash: '',
  }
}

function card(name: string, role: MemberCard['role']): MemberCard {
  return {
    name,
    role,
    card: name,
    description: 'Waits.',
    prompt: 'You wait.',
    tools: ['Read'],
    model: 'none/none',
    permissions: {},
    budget: {},
    executor: 'in-process',
    isolation: 'none',
    restart: 'never',
    max_turns: 1,
  }
}
