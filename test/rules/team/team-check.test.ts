import { describe, expect, test } from 'vitest'
import type { MemberCard, ResolvedTeam } from '../../../src/protocol/team/team-card.ts'
import { checkTeam, type Known } from '../../../src/rules/team/team-check.ts'
import { permissionProblems } from '../../../src/rules/permissions/team-permissions.ts'

const known: Known = {
  tools: ['Read', 'Write', 'Bash', 'Delegate', 'SendMessage', 'StopWorker'],
  coordinatorTools: ['Delegate', 'SendMessage', 'StopWorker'],
  providers: ['scripted', 'anthropic', 'openai'],
  executors: ['in-process', 'auto'],
  local: { tools: [], providers: [] },
  credentials: {
    anthropic: { variable: 'ANTHROPIC_API_KEY', present: false },
    openai: { variable: 'OPENAI_API_KEY', present: true },
  },
}

const member = (name: string, more: Partial<MemberCard> = {}): MemberCard => ({
  name,
  role: 'worker',
  card: name,
  description: '',
  prompt: 'p',
  tools: ['Read'],
  model: 'scripted/x.yaml',
  permissions: {},
  budget: {},
  executor: 'in-process',
  isolation: 'none',
  restart: 'on-crash',
  max_turns: 40,
  ...more,
})
const lead = (more: Partial<MemberCard> = {}) => member('lead', { role: 'coordinator', tools: [], ...more })
const team = (members: MemberCard[], more: Partial<ResolvedTeam> = {}): ResolvedTeam => ({
  name: 't',
  description: '',
  file: '/t.yaml',
  budget: {},
  partition: 'enforced',
  scope: [],
  permissions: {},
  gather: { wait: 'all', timeout_ms: 1, retry: 1, then: 'continue' },
  coordinator: 'lead',
  members,
  hash: 'h',
  ...more,
})
const check = (members: MemberCard[], more: Partial<ResolvedTeam> = {}) => [
  ...checkTeam(team(members, more), known),
  ...permissionProblems(team(members, more)),
]

describe('checkTeam', () => {
  test('has nothing to say about a sound team', () => {
    const worker = member('writer', {
      tools: ['Read', 'SendMessage'],
      permissions: { allow: ['Bash(ls:*)'], mode: 'plan' },
    })
    const sound = {
      budget: { turns: 2, agents: 2 },
      permissions: { allow: ['Bash(git log:*)'], deny: ['Bash(git push:*)'] },
    }
    expect(check([lead({ tools: ['Delegate'] }), worker], sound)).toEqual([])
  })

  test('an unknown tool, with what was meant, once for all replicas', () => {
    const replicas = ['w-1', 'w-2'].map((name) => member(name, { card: 'w', tools: ['Read', 'Raed', 'Xyzzyx'] }))
    expect(check([lead(), ...replicas])).toEqual([
      {
        severity: 'error',
        code: 'unknown_tool',
        message: 'there is no tool "Raed"',
        path: ['workers', 'w', 'tools', 1],
        hint: 'did you mean Read?',
      },
      {
        severity: 'error',
        code: 'unknown_tool',
        message: 'there is no tool "Xyzzyx"',
        path: ['workers', 'w', 'tools', 2],
        hint: 'there are Read, Write, Bash, Delegate, SendMessage',
      },
    ])
    const [problem] = check([lead({ tools: ['Delegat'] }), member('w')])
    expect([problem?.path, problem?.hint]).toEqual([['coordinator', 'tools', 0], 'did you mean Delegate?'])
  })

  test('a worker named like the coordinator card is still looked at', () => {
    expect(check([lead(), member('w', { card: 'lead', tools: ['Raed'] })])).toHaveLength(1)
  })

  test('a coordinator with a domain tool', () => {
    const members = [lead({ tools: ['Bash'] }), member('w')]
    expect(check(members)).toEqual([
      {
        severity: 'error',
        code: 'coordinator_domain_tool',
        message: 'the coordinator cannot hold Bash: it decides what is done, workers do it',
        path: ['coordinator', 'tools', 0],
        hint: 'give the tool to a worker, or set partition: relaxed at the top of the file',
      },
    ])
    expect(check(members, { partition: 'relaxed' })).toEqual([
      {
        severity: 'warning',
        code: 'coordinator_domain_tool',
        message: 'the coordinator holds Bash and may do the work instead of delegating it',
        path: ['coordinator', 'tools', 0],
      },
    ])
  })

  test('a worker with a tool of the coordinator', () => {
    expect(check([lead(), member('w', { tools: ['SendMessage', 'StopWorker'] })])).toEqual([
      {
        severity: 'error',
        code: 'tool_not_grantable',
        message: 'worker "w" cannot be given StopWorker: it belongs to the coordinator',
        path: ['workers', 'w', 'tools', 1],
      },
    ])
  })

  test('models: no provider, no credential, no model at all', () => {
    expect(check([lead(), member('w', { model: 'antropic/x' })])).toEqual([
      {
        severity: 'error',
        code: 'unknown_provider',
        message: 'there is no model provider "antropic"',
        path: ['workers', 'w', 'model'],
        hint: 'did you mean anthropic?',
      },
    ])
    const [far] = check([lead({ model: 'zzz/x' }), member('w')])
    expect(far?.path).toEqual(['coordinator', 'model'])
    expect(far?.hint).toBe(
      'there are scripted, anthropic, openai; those of a project count once they are trusted (troupe trust)',
    )
    expect(check([lead({ model: 'anthropic/m' }), member('w', { model: 'anthropic/m' })])).toEqual([
      {
        severity: 'warning',
        code: 'missing_credential',
        message: 'anthropic/m needs ANTHROPIC_API_KEY, which is not set (the model of lead, w)',
        path: ['model'],
        hint: 'set ANTHROPIC_API_KEY, or try the quickstart team, which needs no key',
      },
    ])
    expect(check([lead({ model: '' }), member('w', { model: 'openai/m' })])).toEqual([])
  })

  test('a budget that cannot cover one turn of each member', () => {
    const members = [lead(), member('a'), member('b')]
    expect(check(members, { budget: { turns: 2, agents: 3 } })).toEqual([
      {
        severity: 'error',
        code: 'budget_too_small',
        message: 'a budget of 2 turns does not cover one turn of each of the 3 members',
        path: ['budget', 'turns'],
        hint: 'give at least 3',
      },
    ])
    expect(check(members, { budget: { agents: 1 } })).toMatchObject([{ severity: 'error', code: 'budget_too_small' }])
    expect(check(members, { budget: { agents: 2 } })).toEqual([
      {
        severity: 'warning',
        code: 'budget_below_members',
        message: 'a budget of 2 agents lets at most 1 of the 2 workers be started in one run',
        path: ['budget', 'agents'],
      },
    ])
  })
})

describe('permissions of a team', () => {
  test('a rule that cannot be read', () => {
    expect(check([lead(), member('w', { permissions: { ask: ['Read', 'Bash('] } })])).toEqual([
      {
        severity: 'error',
        code: 'invalid_rule',
        message: '"Bash(" is not a rule: write Tool or Tool(what it covers)',
        path: ['workers', 'w', 'permissions', 'ask', 1],
      },
    ])
  })

  test.each([
    ['Bash(git push:*)', 'Bash(git push:*)', true],
    ['Bash(git push)', 'Bash', true],
    ['Bash(git push origin *)', 'Bash(git push:*)', true],
    ['Bash(git push:*)', 'Bash(git *)', true],
    ['Bash(git push:*)', 'Bash(git push)', false],
    ['Bash(git pull)', 'Bash(git push:*)', false],
    ['Bash', 'Bash(git push:*)', false],
    ['Write(a)', 'Edit', true],
    ['Edit(a)', 'Edit(a)', true],
    ['Edit(a)', 'Edit(b)', false],
    ['Edit(a)', 'Read(a)', false],
    ['mcp__x__y', 'mcp__x', true],
    ['Bash(x', 'Bash', false],
    ['Bash', 'Bash(x', false],
  ])('allow %s under deny %s is shadowed: %s', (allow, deny, shadowed) => {
    const lists = [{ deny: [deny] }, { ask: [deny] }].map((list) =>
      check([lead(), member('w')], { permissions: { allow: [allow], ...list } }),
    )
    for (const found of lists) {
      expect(found.filter(({ code }) => code === 'shadowed_rule')).toEqual(
        shadowed
          ? [
              {
                severity: 'warning',
                code: 'shadowed_rule',
                message: `${allow} never applies: ${deny} comes first`,
                path: ['permissions', 'allow', 0],
              },
            ]
          : [],
      )
    }
  })

  test('a member that allows what the team denies', () => {
    const permissions = { allow: ['Read', 'Bash(git push origin)'] }
    expect(check([lead({ permissions }), member('w')], { permissions: { deny: ['Bash(git push:*)'] } })).toEqual([
      {
        severity: 'error',
        code: 'allow_denied',
        message: '"lead" allows Bash(git push origin), which the team denies (Bash(git push:*))',
        path: ['coordinator', 'permissions', 'allow', 1],
      },
    ])
  })

  test('a member with a wider mode than its team', () => {
    const wider = (mode: MemberCard['permissions']['mode'], teamMode?: MemberCard['permissions']['mode']) =>
      check([lead(), member('w', { permissions: { ...(mode && { mode }) } })], {
        permissions: { ...(teamMode && { mode: teamMode }) },
      })
    expect(wider('acceptEdits')).toEqual([
      {
        severity: 'error',
        code: 'wider_mode',
        message: '"w" runs in acceptEdits mode, which allows more than the team\'s default',
        path: ['workers', 'w', 'permissions', 'mode'],
      },
    ])
    expect(
      wider('bypassPermissions', 'acceptEdits')
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(['mode_not_entered', 'wider_mode'])
    expect(wider('default', 'plan')).toHaveLength(1)
    expect(wider('plan', 'default')).toEqual([])
    expect(wider('dontAsk', 'default')).toEqual([])
    expect(wider('default', 'dontAsk')).toEqual([])
    expect(wider('acceptEdits', 'acceptEdits')).toEqual([])
    expect(wider(undefined, 'plan')).toEqual([])
  })
})

test('a member that cannot be run as its card says is refused, not run otherwise', () => {
  expect(check([lead(), member('writer', { executor: 'tmux', isolation: 'worktree' })])).toEqual([
    {
      severity: 'error',
      code: 'unknown_executor',
      message: 'there is no executor "tmux"',
      path: ['workers', 'writer', 'executor'],
      hint: 'there are in-process, auto',
    },
  ])
})

test("a member's own limits are kept to, and one that could not be is warned about", () => {
  expect(check([lead(), member('writer', { budget: { usd: 1, tokens: 9, turns: 3, minutes: 5 } })])).toEqual([])
  expect(check([lead(), member('writer', { budget: { agents: 3 } })])).toEqual([
    {
      severity: 'warning',
      code: 'budget_not_enforced',
      message: '"writer" starts nobody: how many members may be started is limited for the team',
      path: ['workers', 'writer', 'budget', 'agents'],
      hint: 'set it in the budget of the team',
    },
  ])
})

test('who may enter plan mode needs a way to propose a plan', () => {
  const tools = ['EnterPlanMode', 'ExitPlanMode']
  const planning = { ...known, tools: [...known.tools, ...tools] }
  expect(checkTeam(team([lead(), member('writer', { tools })]), planning)).toEqual([])
  expect(checkTeam(team([lead(), member('writer', { tools: ['EnterPlanMode'] })]), planning)).toMatchObject([
    { severity: 'error', code: 'plan_without_exit', path: ['workers', 'writer', 'tools', 0] },
  ])
})

test('a model that only helps is looked at, too', () => {
  const advisor = { model: 'anthropi/x', max_uses: 3, max_tokens: 500 }
  expect(check([lead(), member('writer', { advisor })])).toMatchObject([
    { code: 'unknown_provider', path: ['workers', 'writer', 'advisor'], hint: 'did you mean anthropic?' },
  ])
  expect(check([lead({ advisor: { ...advisor, model: 'anthropic/x' } }), member('writer')])).toMatchObject([
    { code: 'missing_credential', path: ['coordinator', 'advisor'] },
  ])
})

test('a model that stands in is looked at, once for all whose it is', () => {
  const fallback = ['anthropc/x']
  const hint = 'did you mean anthropic?'
  expect(check([lead({ fallback }), member('writer', { fallback })])).toMatchObject([
    { severity: 'error', code: 'unknown_provider', path: ['fallback'], hint },
  ])
  expect(check([lead(), member('writer', { fallback })])).toMatchObject([{ path: ['workers', 'writer', 'fallback'] }])
})

test('a model without a provider is told how models are written', () => {
  expect(check([lead({ model: 'claude-opus-5' }), member('writer')])).toMatchObject([
    { code: 'unknown_provider', hint: 'write provider/model: troupe models claude-opus-5' },
  ])
})

test('a stronger model is another one', () => {
  const escalate = { model: 'scripted/x.yaml', after_errors: 3, on_loop: true }
  expect(check([lead(), member('writer', { escalate })])).toMatchObject([
    { severity: 'warning', code: 'escalates_to_itself', path: ['workers', 'writer', 'escalate'] },
  ])
  expect(check([lead(), member('writer', { escalate: { ...escalate, model: 'scripted/y.yaml' } })])).toEqual([])
})

test('the tool Advisor needs somebody to ask', () => {
  const advised = { ...known, tools: [...known.tools, 'Advisor'] }
  const advisor = { model: 'scripted/x.yaml', max_uses: 3, max_tokens: 500 }
  expect(checkTeam(team([lead(), member('writer', { tools: ['Advisor'], advisor })]), advised)).toEqual([])
  expect(checkTeam(team([lead(), member('writer', { tools: ['Advisor'] })]), advised)).toMatchObject([
    { severity: 'error', code: 'no_advisor', hint: 'write `advisor: provider/model`' },
  ])
})

test('a check that the team does not allow is asked about, or never runs', () => {
  const verify = (command: string) => ({ command, after_changes: true, attempts: 3, timeout_ms: 1 })
  const checked = (command: string, more: Partial<ResolvedTeam> = {}) =>
    check([lead(), member('writer', { verify: verify(command) })], more).map(
      ({ code, message }) => `${code} ${message}`,
    )
  expect(checked('grep -q x notes')).toEqual([])
  expect(checked('npm test', { permissions: { allow: ['Bash(npm test:*)'] } })).toEqual([])
  expect(checked('npm test')).toEqual([
    'verify_asks the check `npm test` of "writer" is asked about: default mode asks before running npm test; the allow rule Bash(npm test:*) would permit it',
  ])
  expect(checked('npm test', { permissions: { deny: ['Bash(npm:*)'] } })).toEqual([
    'verify_denied the check `npm test` of "writer" never runs: Bash(npm:*) matches npm test',
  ])
})

test('tools of the task board need a task board, and then anyone may have them', () => {
  const tools = ['TaskClaim']
  const boarded = {
    ...known,
    tools: [...known.tools, ...tools],
    coordinatorTools: [...known.coordinatorTools, ...tools],
  }
  const members = [lead(), member('writer', { tools })]
  expect(checkTeam(team(members), boarded)).toMatchObject([
    {
      severity: 'error',
      code: 'no_task_board',
      path: ['workers', 'writer', 'tools', 0],
      hint: 'add `tasks: {}` to the team',
    },
  ])
  const tasks = { evidence: [], review: false, lease_ms: 1, checks: {} }
  expect(checkTeam(team(members, { tasks }), boarded)).toEqual([])
})
