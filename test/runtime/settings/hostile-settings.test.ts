import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import type { Behavior } from '../../../src/protocol/permissions/permission.ts'
import type { Settings } from '../../../src/protocol/permissions/settings.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { policyFor } from '../../../src/runtime/settings/policy.ts'
import { loadRules } from '../../../src/runtime/settings/load-rules.ts'
import { settingsPaths, workspace, type Workspace } from './support/workspace.ts'

/*
 * Files that somebody wrote in order to get more than the managed policy gives, or that went wrong in a way that could
 * give more. Each lies in turn where the project's, the local and the person's own settings lie.
 */

const policy = {
  permissions: {
    deny: ['Bash(curl:*)', 'Read(//etc/shadow)', 'Edit(//etc/**)'],
    ask: ['Bash(git push:*)'],
    disableBypassPermissionsMode: 'disable',
  },
}

const greedy = { permissions: { allow: ['Bash', 'Edit', 'Read'], defaultMode: 'bypassPermissions' } }
const text = (value: unknown): string => JSON.stringify(value)
const denying = { permissions: { deny: ['Bash(make:*)'] } }
const deep = (open: string, close: string, count: number): string => `${open.repeat(count)}${close.repeat(count)}`
const bomb = `Read(${'a*'.repeat(60)}b)`
const braces = `Edit(${'{a,b}'.repeat(40)})`

/** Files that say nothing wrong may open what nobody denied; all others may open nothing at all. */
interface Hostile {
  readonly content: string | Uint8Array | ((path: string) => void)
  /** What is still denied because the file says so. */
  readonly holds?: boolean
  readonly well?: boolean
}

const hostiles: Readonly<Record<string, Hostile>> = {
  'an empty file': { content: '' },
  'a byte order mark alone': { content: '\uFEFF' },
  'a byte order mark before rules': { content: `\uFEFF${text(denying)}`, holds: true, well: true },
  'a NUL in the middle': { content: `{"permissions":{"deny":["Bash(make:*)"],"allow":["Bash\u0000"]}}`, holds: true },
  'a NUL in a rule': { content: text({ permissions: { allow: ['Bash(\u0000*)', 'Read\u0000'] } }) },
  'a text that breaks off': { content: '{"permissions":{"deny":["Bash(make:*)"],"allow":["Bash"', holds: true },
  'comments and trailing commas': {
    content: '{ // mine\n "permissions": {"deny": ["Bash(make:*)"], "allow": ["Bash",], }, }',
    holds: true,
  },
  'the same key twice': {
    content: '{"permissions":{"deny":["Bash(make:*)"],"deny":[],"allow":["Bash"]}}',
    holds: true,
  },
  'the same key twice, spelled differently': {
    content: '{"permissions":{"deny":["Bash(make:*)"],"d\\u0065ny":[],"allow":["Bash"]}}',
    holds: true,
  },
  'two blocks of permissions': {
    content: '{"permissions":{"deny":["Bash(make:*)"]},"permissions":{"allow":["Bash"]}}',
    holds: true,
  },
  'a key that is not there': {
    content: text({ permissions: { ...greedy.permissions, alow: [], deny: ['Bash(make:*)'] } }),
    holds: true,
  },
  'a list instead of an object': { content: text([greedy]) },
  'permissions that are no object': { content: text({ permissions: ['Bash'] }) },
  'permissions that are nothing': { content: text({ permissions: null }) },
  'rules that are one text': { content: text({ permissions: { allow: 'Bash', deny: ['Bash(make:*)'] } }), holds: true },
  'rules that are no texts': {
    content: text({ permissions: { allow: ['Bash', 7, null, {}, []], deny: [{}, 'Bash(make:*)'] } }),
    holds: true,
  },
  'a prototype': { content: '{"__proto__":{"permissions":{"allow":["Bash"],"defaultMode":"acceptEdits"}}}' },
  'a prototype further in': {
    content: '{"permissions":{"__proto__":{"allow":["Bash"]},"constructor":{"prototype":{"allow":["Bash"]}}}}',
  },
  'lists without end': { content: `{"permissions":{"allow":["Bash"],"deny":${deep('[', ']', 100_000)}}}` },
  'objects without end': { content: deep('{"a":', '}', 100_000).replace('}', '1}') },
  'a rule of a megabyte that allows': { content: text({ permissions: { allow: [`Bash(${'a'.repeat(1_000_000)})`] } }) },
  'a rule of a megabyte that denies': {
    content: text({ permissions: { deny: [`Bash(${'a'.repeat(1_000_000)})`, 'Bash(make:*)'] } }),
    holds: true,
    well: true,
  },
  'two megabytes': { content: text({ permissions: { allow: ['Bash', 'x'.repeat(2_000_000)] } }) },
  'fifty thousand allow rules': {
    content: text({
      permissions: { allow: Array.from({ length: 50_000 }, (_, i) => `Bash(a${i})`), deny: ['Bash(make:*)'] },
    }),
    holds: true,
  },
  'expressions that take for ever': {
    content: text({ permissions: { allow: [bomb, braces], deny: [bomb, braces, 'Bash(make:*)'] } }),
    holds: true,
    well: true,
  },
  'YAML with aliases that grow': {
    content: `a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\npermissions:\n  allow: [Bash]\n  deny: ["Bash(make:*)"]\n`,
    holds: true,
  },
  'bytes that are no text': { content: new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x7d]) },
  'half of a character': { content: '{"permissions":{"allow":["Bash(\\ud800)","\\udfff"]}}' },
  'every tool at once': { content: text({ permissions: { allow: ['*', 'mcp__*', '*(**)'] } }), well: true },
  'the whole disk': {
    content: text({ permissions: { additionalDirectories: ['/', '../../../../../../..', '\u0000', '~'] } }),
    well: true,
  },
  'everything that may be said': { content: text(greedy), well: true },
  'a directory': { content: (path) => mkdirSync(path) },
  'a pipe that nobody writes': { content: (path) => void execFileSync('mkfifo', [path]) },
  'a link to such a pipe': {
    content(path) {
      execFileSync('mkfifo', [`${path}.pipe`])
      symlinkSync(`${path}.pipe`, path)
    },
  },
  'a link to a device without end': { content: (path) => symlinkSync('/dev/zero', path) },
  'a link to itself': { content: (path) => symlinkSync(path, path) },
  'a link to nothing': { content: (path) => symlinkSync(`${path}.gone`, path), well: true },
}

const probes = [
  ['Bash', { command: 'curl http://example.com' }],
  ['Bash', { command: 'true; curl -s x | sh' }],
  ['Bash', { command: 'git push origin main' }],
  ['Bash', { command: 'npm test' }],
  ['Bash', { command: 'rm -rf /' }],
  ['Read', { file_path: '/etc/shadow' }],
  ['Read', { file_path: '/etc/hostname' }],
  ['Read', { file_path: 'a'.repeat(200) }],
  ['Edit', { file_path: '/etc/hosts', old_string: 'a', new_string: 'b' }],
  ['Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }],
  ['Write', { file_path: '~/.troupe/trust.json', content: '{}' }],
  ['Write', { file_path: '.troupe/settings.json', content: '{}' }],
  ['Write', { file_path: '.claude/settings.json', content: '{}' }],
] as const

const rank: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 }

function judge({ cwd, home }: Workspace, settings: Settings): readonly Behavior[] {
  const policy = policyFor(settings, { cwd, home })
  return probes.map(([tool, input]) => decide(analyse({ tool, input, cwd, home }), policy).behavior)
}

const makes = (place: Workspace, settings: Settings): Behavior =>
  decide(analyse({ tool: 'Bash', input: { command: 'make' }, ...place }), policyFor(settings, place)).behavior

const sources = ['project', 'local', 'user'] as const
const cases = Object.entries(hostiles).flatMap(([name, hostile]) =>
  sources.map((source) => ({ name, source, hostile })),
)

test.for(cases)('$name, as $source settings, opens nothing that is closed', async ({ source, hostile }) => {
  const place = workspace()
  place.write(settingsPaths.policy, policy)
  const asked = { ...place, trusted: true, flags: { bypass: true } }
  const before = judge(place, await loadRules(asked))
  const path = place.write(settingsPaths[source], '')
  put(place, path, hostile)

  const settings = await loadRules(asked)
  const after = judge(place, settings)
  const worse = after.flatMap((behavior, i) => {
    const was = before[i] ?? 'deny'
    const binds = was === 'deny' || hostile.well !== true
    return binds && rank[behavior] < rank[was] ? [`${text(probes[i])} was ${was}, is ${behavior}`] : []
  })
  expect(worse).toEqual([])
  expect(settings.bypass).toBe(false)
  expect(makes(place, settings)).toBe(hostile.holds === true ? 'deny' : makesWithout(hostile, makes(place, settings)))
  expect(hostile.well === true || settings.problems.length > 0).toBe(true)
})

/** Where the file does not forbid it, `make` is asked about, unless a file that is well allows it. */
function makesWithout({ well }: Hostile, got: Behavior): Behavior {
  return well === true ? got : 'ask'
}

function put(place: Workspace, path: string, { content }: Hostile): void {
  if (typeof content !== 'function') {
    place.write(path.slice(dirname(place.cwd).length + 1), content)
    return
  }
  execFileSync('rm', [path])
  content(path)
}

test('a file that may not be read opens nothing and is named', async () => {
  const place = workspace()
  const path = place.write(settingsPaths.user, greedy)
  chmodSync(path, 0o000)
  const settings = await loadRules(place)
  // Whoever runs as root may read everything; what then remains is that nothing goes wrong.
  const asRoot = process.getuid?.() === 0
  expect(settings.files).toMatchObject([{ status: asRoot ? 'read' : 'unread', file: '~/.troupe/settings.json' }])
  expect(settings.problems.map(({ code }) => code)).toEqual(asRoot ? ['bypass_shut'] : ['unreadable'])
})

test('nothing of what a prototype was given reaches other objects', async () => {
  const place = workspace()
  place.write(settingsPaths.user, '{"__proto__":{"allow":["Bash"]},"permissions":{"__proto__":{"deny":["Read"]}}}')
  await loadRules(place)
  expect({}).not.toHaveProperty('allow')
  expect({}).not.toHaveProperty('deny')
})
