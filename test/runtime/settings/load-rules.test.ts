import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { policyFor } from '../../../src/runtime/settings/policy.ts'
import { loadRules } from '../../../src/runtime/settings/load-rules.ts'
import { openSettings, PolicyUnreadable } from '../../../src/runtime/settings/open-settings.ts'
import { trustQuestion, trustWorkspace } from '../../../src/runtime/settings/workspace-trust.ts'
import { settingsPaths, workspace, type Workspace } from './support/workspace.ts'

const deny = (...rules: string[]) => ({ permissions: { deny: rules } })
const allow = (...rules: string[]) => ({ permissions: { allow: rules } })

async function decided(place: Workspace, tool: string, input: unknown) {
  const settings = await loadRules({ ...place, trusted: true })
  return decide(analyse({ tool, input, ...place }), policyFor(settings, place))
}

test('without any file nothing is allowed, denied or wrong', async () => {
  const settings = await loadRules(workspace())
  expect(settings).toMatchObject({ rules: {}, files: [], problems: [], untrusted: [], bypass: false, sandbox: {} })
})

test('every source is read, each rule with its file and line', async () => {
  const place = workspace()
  place.write(
    settingsPaths.policy,
    '{\n  "permissions": {\n    "deny": [\n      "Bash(a)",\n      "Bash(b)"\n    ]\n  }\n}',
  )
  place.write('policy/policy.d/20.json', deny('Bash(d)'))
  place.write('policy/policy.d/10.json', deny('Bash(c)'))
  place.write('policy/policy.d/notes.txt', 'no settings')
  place.write('claude-code/managed-settings.json', { ...deny('Bash(l)'), model: 'of no meaning here' })
  place.write('claude-code/managed-settings.d/1.json', deny('Bash(m)'))
  place.write(settingsPaths.project, deny('Bash(e)'))
  place.write('shop/.claude/settings.json', deny('Bash(f)'))
  place.write(settingsPaths.local, deny('Bash(g)'))
  place.write('shop/.claude/settings.local.json', deny('Bash(h)'))
  place.write(settingsPaths.user, deny('Bash(i)'))
  place.write('home/.claude/settings.json', deny('Bash(j)'))
  const { rules, origins, files } = await loadRules({ ...place, flags: { deny: ['Bash(k)'] } })
  expect(rules).toMatchObject({
    policy: { deny: ['Bash(a)', 'Bash(b)', 'Bash(c)', 'Bash(d)', 'Bash(l)', 'Bash(m)'] },
    project: { deny: ['Bash(e)', 'Bash(f)'] },
    local: { deny: ['Bash(g)', 'Bash(h)'] },
    user: { deny: ['Bash(i)', 'Bash(j)'] },
    cliArg: { deny: ['Bash(k)'] },
  })
  expect(origins.policy?.deny?.map(({ at }) => at)).toEqual([
    `${place.policyRoot}/policy.json:4`,
    `${place.policyRoot}/policy.json:5`,
    `${place.policyRoot}/policy.d/10.json:1`,
    `${place.policyRoot}/policy.d/20.json:1`,
    expect.stringContaining('/claude-code/managed-settings.json:'),
    expect.stringContaining('/claude-code/managed-settings.d/1.json:1'),
  ])
  expect(origins.user?.deny?.map(({ at }) => at)).toEqual(['~/.troupe/settings.json:1', '~/.claude/settings.json:1'])
  expect(files.map(({ file, status }) => `${file} ${status}`)).toContain('.claude/settings.local.json read')
})

test('the decision says in which line of which file its rule stands', async () => {
  const place = workspace()
  place.write(settingsPaths.user, '{\n"permissions": {\n"deny": ["Bash(curl:*)"] } }')
  expect(await decided(place, 'Bash', { command: 'curl x' })).toMatchObject({
    behavior: 'deny',
    source: 'user',
    rule: 'Bash(curl:*)',
    at: '~/.troupe/settings.json:3',
  })
})

test("a project reaches from its repository's root down to the working directory", async () => {
  const place = workspace()
  mkdirSync(join(place.cwd, '.git'))
  place.write('shop/packages/till/.troupe/settings.json', deny('Bash(b)'))
  place.write(settingsPaths.project, deny('Bash(a)'))
  const inside = { ...place, cwd: join(place.cwd, 'packages/till') }
  expect((await loadRules(inside)).rules.project?.deny).toEqual(['Bash(a)', 'Bash(b)'])
})

test('settings above a directory that is in no repository are not its own', async () => {
  const place = workspace()
  place.write(settingsPaths.project, deny('Bash(a)'))
  mkdirSync(join(place.cwd, 'deeper'))
  expect((await loadRules({ ...place, cwd: join(place.cwd, 'deeper') })).rules).toEqual({})
})

test.for([
  ['project', 'src/a.ts', true],
  ['local', 'src/a.ts', true],
  ['user', 'src/a.ts', false],
] as const)('a leading / in %s settings starts where the settings belong', async ([source, file, denied]) => {
  const place = workspace()
  place.write(settingsPaths[source], deny('Edit(/src/**)'))
  const { behavior } = await decided(place, 'Edit', { file_path: file, old_string: 'a', new_string: 'b' })
  expect(behavior).toBe(denied ? 'deny' : 'ask')
})

test('a leading / of a nested project means that project', async () => {
  const place = workspace()
  mkdirSync(join(place.cwd, '.git'))
  place.write('shop/till/.troupe/settings.json', deny('Edit(/src/**)'))
  const inside = { ...place, cwd: join(place.cwd, 'till') }
  const edit = (file: string) => decided(inside, 'Edit', { file_path: file, old_string: 'a', new_string: 'b' })
  expect(await edit(join(place.cwd, 'till/src/a.ts'))).toMatchObject({ behavior: 'deny' })
  expect(await edit(join(place.cwd, 'src/a.ts'))).toMatchObject({ behavior: 'ask' })
})

test('a person is told that a leading / of theirs is no absolute path', async () => {
  const place = workspace()
  place.write(settingsPaths.user, deny('Read(/etc/passwd)'))
  expect((await loadRules(place)).problems).toMatchObject([
    {
      severity: 'warning',
      code: 'misleading_rule',
      file: '~/.troupe/settings.json',
      hint: expect.stringContaining('//etc/passwd') as unknown,
    },
  ])
})

test('rules that cannot work are said with their place and what was meant', async () => {
  const place = workspace()
  place.write(settingsPaths.user, '{"permissions":{"allow":["Bash(ls",\n"mcp__*"],"deny":["Bahs(rm:*)"]}}')
  const { problems, rules } = await loadRules(place)
  expect(problems).toMatchObject([
    { code: 'invalid_rule', line: 1 },
    { code: 'misleading_rule', line: 2 },
    { code: 'unknown_tool', line: 2, hint: 'did you mean "Bash"?' },
  ])
  expect(rules.user).toEqual({ allow: [], ask: [], deny: ['Bahs(rm:*)'] })
})

test("another program's keys are listed and do no harm; our own file may hold none", async () => {
  const place = workspace()
  const content = {
    hooks: {},
    statusLine: { A: 'b' },
    permissions: { deny: ['Bash(a)'], allow: ['Bash(b)'], skip: true, defaultMode: 'auto' },
  }
  place.write('home/.claude/settings.json', content)
  const foreign = await loadRules(place)
  expect(foreign.problems).toEqual([])
  expect(foreign.rules.user).toMatchObject({ allow: ['Bash(b)'], deny: ['Bash(a)'] })
  expect(foreign.files[0]?.ignored.map(({ text }) => text).toSorted()).toEqual([
    'permissions.defaultMode',
    'permissions.skip',
    'statusLine',
  ])
  place.write(settingsPaths.user, content)
  const { problems, files } = await loadRules(place)
  expect(files[0]).toMatchObject({ file: '~/.troupe/settings.json', status: 'partial', rules: 1 })
  expect(problems.map(({ code }) => code)).toContain('unknown_key')
})

test('what a project opens waits for trust, word for word; what it forbids does not', async () => {
  const place = workspace()
  const open = {
    permissions: {
      allow: ['Bash(make)'],
      deny: ['Bash(rm:*)'],
      defaultMode: 'acceptEdits',
      additionalDirectories: ['../lib'],
    },
    sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
  }
  place.write(settingsPaths.project, open)
  const before = await loadRules(place)
  expect(before).toMatchObject({
    rules: { project: { allow: [], deny: ['Bash(rm:*)'] } },
    modes: {},
    additionalDirectories: [],
  })
  expect(before.sandbox).toMatchObject({ enabled: true })
  expect(before.sandbox.autoAllowBashIfSandboxed).toBeUndefined()

  trustWorkspace(place.home, await trustQuestion(place))
  const after = await loadRules(place)
  expect(after).toMatchObject({
    rules: { project: { allow: ['Bash(make)'] } },
    modes: { project: 'acceptEdits' },
    sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
    untrusted: [],
  })
  expect(after.additionalDirectories).toEqual([join(place.cwd, '../lib')])

  place.write(settingsPaths.project, { permissions: { ...open.permissions, allow: ['Bash(make)', 'Bash(make :*)'] } })
  const changed = await loadRules(place)
  expect(changed.rules.project?.allow).toEqual(['Bash(make)'])
  expect(changed.untrusted).toMatchObject([{ kind: 'allow', text: 'Bash(make :*)', at: '.troupe/settings.json:1' }])
})

test('a local file that came with the repository is not taken for the hand of the person', async () => {
  const place = workspace()
  place.write(settingsPaths.local, allow('Bash'))
  expect((await loadRules(place)).rules.local).toBeUndefined()
})

test('a trust file that is broken trusts nothing and is named', async () => {
  const place = workspace()
  place.write(settingsPaths.project, allow('Bash'))
  place.write('home/.troupe/trust.json', `{"spec":1,"workspaces":{"${place.cwd}":"Bash"}}`)
  const { rules, problems } = await loadRules(place)
  expect(rules.project).toBeUndefined()
  expect(problems).toMatchObject([{ code: 'trust_unread' }])
})

test('the managed policy may let only its own allow rules count', async () => {
  const place = workspace()
  place.write(settingsPaths.policy, { ...allow('Bash(ls)'), allowManagedPermissionRulesOnly: true })
  place.write(settingsPaths.user, { permissions: { allow: ['Bash'], deny: ['Read'] } })
  const { rules, managedOnly } = await loadRules({ ...place, flags: { allow: ['Edit'] } })
  expect(managedOnly).toBe(true)
  expect(rules).toMatchObject({ policy: { allow: ['Bash(ls)'] }, user: { allow: [], deny: ['Read'] } })
  expect(rules.cliArg).toBeUndefined()
})

test('the managed policy alone may name other critical commands', async () => {
  const place = workspace()
  place.write(settingsPaths.user, { criticalCommands: [] })
  expect((await loadRules(place)).critical).toBeNull()
  place.write(settingsPaths.policy, { criticalCommands: ['terraform'] })
  const settings = await loadRules(place)
  expect(policyFor(settings, place).bounds.critical).toEqual(['terraform'])
})

test('a person chooses the classifier at home, the managed policy before that, and a workspace never', async () => {
  const place = workspace()
  const choose = (classifier: string) => ({ permissions: { classifier } })
  expect((await loadRules(place)).classifier).toBeNull()
  place.write(settingsPaths.project, choose('scripted/yes.yaml'))
  const ignored = await loadRules({ ...place, flags: {} })
  expect(ignored).toMatchObject({ classifier: null, problems: [{ code: 'ignored_classifier', line: 1 }] })
  place.write(settingsPaths.user, choose('anthropic/one'))
  expect((await loadRules(place)).classifier).toBe('anthropic/one')
  place.write(settingsPaths.policy, choose('anthropic/two'))
  expect((await loadRules(place)).classifier).toBe('anthropic/two')
})

test('nobody else can make itself the only one whose rules count', async () => {
  const place = workspace()
  place.write(settingsPaths.user, { allowManagedPermissionRulesOnly: true })
  expect((await loadRules({ ...place, flags: { allow: ['Edit'] } })).rules.cliArg?.allow).toEqual(['Edit'])
})

test('bypassPermissions needs to be opened by hand, and any source keeps it shut', async () => {
  const place = workspace()
  place.write(settingsPaths.user, { permissions: { defaultMode: 'bypassPermissions' } })
  const mode = async (bypass: boolean) => {
    const settings = await loadRules({ ...place, flags: { bypass } })
    return [policyFor(settings, place).mode, settings.problems.map(({ code }) => code)]
  }
  expect(await mode(false)).toEqual(['default', ['bypass_shut']])
  expect(await mode(true)).toEqual(['bypassPermissions', []])
  place.write(settingsPaths.project, { permissions: { disableBypassPermissionsMode: 'disable' } })
  expect(await mode(true)).toEqual(['default', ['bypass_shut']])
})

test('further working directories count by their given and their real name', async () => {
  const place = workspace()
  mkdirSync(join(place.home, 'real'))
  symlinkSync(join(place.home, 'real'), join(place.home, 'link'))
  place.write(settingsPaths.user, { permissions: { additionalDirectories: ['~/link', 'beside'] } })
  const { additionalDirectories, problems } = await loadRules(place)
  expect(additionalDirectories).toEqual([join(place.home, 'link'), join(place.home, 'real')])
  expect(problems).toMatchObject([{ code: 'relative_directory' }])
})

test('nothing runs under a managed policy with a mistake in it', async () => {
  const place = workspace()
  place.write(settingsPaths.policy, { permissions: { dney: ['Bash'] } })
  await expect(openSettings(place)).rejects.toThrow(PolicyUnreadable)
  await expect(openSettings(place)).rejects.toThrow('unknown key "dney"')
})
