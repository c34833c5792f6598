import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { ImportedKey } from '../../../src/runtime/settings/import-report.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

async function report(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  for (const [name, text] of Object.entries(files)) {
    const path = join(name.startsWith('~') ? home : cwd, name.replace('~/', ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy') })
  const code = await main(['import', ...args], host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

async function verdicts(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const { out } = await report(files, '--report', '--json')
  const { keys } = JSON.parse(out) as { keys: readonly ImportedKey[] }
  return Object.fromEntries(keys.map(({ file, line, key, verdict }) => [`${file}:${line} ${key}`, verdict]))
}

test('each key of a .claude tree is told with its line and what becomes of it', async () => {
  const settings = {
    model: 'opus',
    permissions: { allow: ['Bash(ls)'], deny: ['Read(.env)'], defaultMode: 'auto' },
    hooks: {
      PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }],
      Setup: [{ hooks: [{ type: 'command', command: 'true' }] }],
    },
    statusLine: { type: 'command', command: 'x' },
    colour: 'red',
  }
  const found = await verdicts({
    '.claude/settings.json': JSON.stringify(settings, null, 2),
    '~/.claude/settings.json': '{ "permissions": { "ask": ["Bash(git push:*)"] } }',
    '.claude/commands/review.md': '---\ndescription: Reviews.\ncontext: fork\n---\nReview.',
    '.claude/commands/plan.md': '---\nargument-hint: [user prompt] [orchestration prompt]\n---\nPlan $1.',
    '.claude/commands/build.md': '---\nargument-hint: [path-to-plan]\n---\nBuild $1.',
    '.claude/skills/broken/SKILL.md': 'Nothing.',
    '.claude/skills/told/SKILL.md': '---\nname: told\n---\n# Tells the time.',
    '.claude/agents/writer.md': '---\nname: writer\ndescription: Writes.\n---\nYou write.',
    '.claude/agents/lost.md': 'No head.',
    '.mcp.json': '{ "mcpServers": { "db": { "command": "db" } } }',
    'CLAUDE.md': 'Be brief.',
  })
  expect(found).toMatchObject({
    '.claude/settings.json:2 model': 'differently',
    '.claude/settings.json:4 permissions.allow': 'differently',
    '.claude/settings.json:7 permissions.deny': 'honoured',
    '.claude/settings.json:10 permissions.defaultMode': 'not',
    '.claude/settings.json:13 hooks.PreToolUse': 'honoured',
    '.claude/settings.json:23 hooks.Setup': 'not',
    '.claude/settings.json:38 colour': 'not',
    '~/.claude/settings.json:1 permissions.ask': 'honoured',
    '.claude/commands/review.md:1 review': 'honoured',
    '.claude/commands/review.md:3 context': 'not',
    '.claude/commands/plan.md:1 plan': 'honoured',
    '.claude/commands/build.md:1 build': 'honoured',
    '.claude/skills/broken:1 skill': 'not',
    '.claude/skills/told:1 told': 'honoured',
    '.claude/agents/writer.md:1 writer': 'differently',
    '.claude/agents/lost.md:1 lost': 'not',
    '.mcp.json:1 mcpServers.db': 'differently',
    'CLAUDE.md:1 CLAUDE.md': 'honoured',
  })
})

test('what other programs were told is said in words of Troupe', async () => {
  const found = await verdicts({
    'opencode.jsonc':
      '{\n  // A comment.\n  "model": "a/b",\n  "mcp": { "db": { "type": "local" } },\n  "theme": "dark"\n}',
    '.codex/config.toml':
      'model = "gpt"\napproval_policy = "never"\n\n[mcp_servers.db]\ncommand = "db"\nargs = []\n\n[tui]\nnotifications = true\ntext = """\nmodel = "not a key"\n"""\n',
    '~/.gemini/settings.json': '{ "model": { "name": "g" }, "ui": { "theme": "x" }, "mystery": 1 }',
    'GEMINI.md': 'Be brief.',
  })
  expect(found).toEqual({
    'opencode.jsonc:3 model': 'differently',
    'opencode.jsonc:4 mcp.db': 'differently',
    'opencode.jsonc:5 theme': 'not',
    '.codex/config.toml:1 model': 'differently',
    '.codex/config.toml:2 approval_policy': 'differently',
    '.codex/config.toml:4 mcp_servers.db': 'differently',
    '.codex/config.toml:9 tui.notifications': 'not',
    '.codex/config.toml:10 tui.text': 'not',
    '~/.gemini/settings.json:1 model.name': 'differently',
    '~/.gemini/settings.json:1 ui.theme': 'not',
    '~/.gemini/settings.json:1 mystery': 'not',
    'GEMINI.md:1 GEMINI.md': 'not',
  })
})

test('a TOML file is read as TOML, whatever its arrays and texts look like', async () => {
  const found = await verdicts({
    '.codex/config.toml': [
      'notify = [',
      '  ["a", "b"],',
      '  ["tui"],',
      ']',
      "instructions = '''",
      '[history]',
      "'''",
      'shell_environment_policy = { inherit = "core", "exclude" = ["A"] }',
      '[ projects . "/home/a.b" ] # own',
      'trust_level = "trusted"',
      '[[skills.config]]',
      'path = "x"',
    ].join('\n'),
    '~/.codex/config.toml': 'model = "x"\nsandbox_mode = x\n',
  })
  expect(found).toEqual({
    '.codex/config.toml:1 notify': 'differently',
    '.codex/config.toml:5 instructions': 'differently',
    '.codex/config.toml:8 shell_environment_policy.inherit': 'not',
    '.codex/config.toml:8 shell_environment_policy.exclude': 'not',
    '.codex/config.toml:9 projects./home/a.b': 'differently',
    '.codex/config.toml:12 skills.config.path': 'differently',
    '~/.codex/config.toml:2 ': 'not',
  })
})

test('the report is for people, too, and nothing is taken over without it', async () => {
  const files = { '.claude/settings.json': '{ "permissions": { "deny": ["Bash(rm:*)"] } }' }
  const { code, out } = await report(files, '--report')
  expect(code).toBe(0)
  expect(out).toMatch(/^\.claude\/settings\.json:1 +permissions\.deny +honoured/m)
  expect(out).toContain('1 honoured, 0 honoured differently, 0 not honoured')
  expect((await report({}, '--report')).out).toContain('There is no configuration of Claude Code')
  expect(await report(files)).toMatchObject({ code: 2 })
  expect((await report({ '.claude/settings.json': '{ broken', 'opencode.json': '[' }, '--report')).out).toContain(
    'is not JSON',
  )
})
