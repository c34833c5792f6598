import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../adapters/fs/parse-json.ts'
import { withoutComments } from '../../rules/settings/settings-document.ts'
import { foundServers } from '../../adapters/mcp/config/read-servers.ts'
import { settingsPlaces } from '../../adapters/settings/settings-places.ts'
import { tomlKeys } from '../../adapters/settings/toml-keys.ts'
import { readSubagentCard } from '../../adapters/teams/card-chain.ts'
import { isSource, readSource, type Source } from '../../adapters/teams/read-source.ts'
import { commandFiles } from '../../adapters/teams/skill-folders.ts'
import { parseYaml } from '../../adapters/teams/yaml-source.ts'
import { foreignKey, type ForeignProgram, type KeyVerdict } from '../../rules/settings/foreign-keys.ts'
import { findSkills } from '../skills/find-skills.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import { readSettings } from './read-settings.ts'

/** One key, or file, of another program's configuration, and what becomes of it. */
export interface ImportedKey extends KeyVerdict {
  readonly program: ForeignProgram
  /** As people are told of it. */
  readonly file: string
  readonly line: number
  readonly key: string
}

/** Where configuration is looked for. */
export interface ImportPlace {
  readonly cwd: string
  readonly home: string
  readonly policyRoot?: string | undefined
}

/**
 * Reads what other programs were told in a project and at home, and says for each key what becomes of it. Nothing is changed.
 *
 * @example (await importReport({ cwd, home })).filter(({ verdict }) => verdict === 'not')
 */
export async function importReport(place: ImportPlace): Promise<readonly ImportedKey[]> {
  const settings = await claudeSettings(place)
  return [...settings, ...claudeTree(place), ...instructions(place), ...others(place)]
}

async function claudeSettings({
  cwd,
  home,
  policyRoot = systemPolicyRoot,
}: ImportPlace): Promise<readonly ImportedKey[]> {
  const places = settingsPlaces({ cwd, home, policyRoot }).filter(({ foreign }) => foreign)
  const found: ImportedKey[] = []
  for (const place of places) {
    const source = readSource(place.shown, place.path)
    const read = isSource(source) ? await readSettings(place) : null
    if (!isSource(source) || read === null) continue
    const ignored = read.file.ignored.map(({ text }) => text)
    const isRead = (key: string): boolean => !ignored.some((path) => key === path || key.startsWith(`${path}.`))
    found.push(...keysOf('claude', source, isRead))
    found.push(
      ...read.diagnostics.map(({ line, code, message }): ImportedKey => ({
        program: 'claude',
        file: place.shown,
        line,
        key: code,
        verdict: 'not',
        how: message,
      })),
    )
  }
  return found
}

/** Keys that hold many of one kind: each of these is one entry. */
const collections = new Set([
  'hooks',
  'mcpServers',
  'mcp_servers',
  'mcp',
  'agent',
  'command',
  'provider',
  'model_providers',
  'profiles',
  'projects',
])

function keysOf(program: ForeignProgram, source: Source, isRead: (key: string) => boolean): readonly ImportedKey[] {
  const value = parseJson(source.text)
  const yaml = parseYaml(source.file, value === undefined ? withoutComments(source.text) : source.text)
  const paths = leaves(yaml.value, [])
  if (paths.length === 0 && !yaml.sound) {
    return [{ program, file: source.file, line: 1, key: '', verdict: 'not', how: 'the file is not JSON' }]
  }
  return paths.map((path) => {
    const key = path.join('.')
    const { line } = yaml.place(path, 'key')
    return { program, file: source.file, line, key, ...foreignKey(program, key, isRead(key)) }
  })
}

function leaves(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const isWhole = path.length === 3 || (path.length === 2 && collections.has(path[0] ?? ''))
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isWhole) {
    return path.length === 0 ? [] : [path]
  }
  const entries = Object.entries(value)
  if (entries.length === 0 && path.length > 0) return [path]
  return entries.flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

/** Commands, skills, cards and servers of a .claude tree. */
function claudeTree(place: ImportPlace): readonly ImportedKey[] {
  const { cwd, home } = place
  return [
    ...claudeTexts(place),
    ...agents(cwd, ''),
    ...(home === cwd ? [] : agents(home, '~/')),
    ...claudeServers(place),
  ]
}

function claudeTexts(place: ImportPlace): readonly ImportedKey[] {
  const foreign = findSkills(place).filter((found) => found.foreign)
  return foreign.flatMap(({ kind, skill, shown, state, diagnostics }): readonly ImportedKey[] => {
    const all = { program: 'claude', file: shown, line: 1 } as const
    const second = state === 'shadowed' ? 'another of that name goes before it' : ''
    const whole: ImportedKey =
      skill === null
        ? { ...all, key: kind, verdict: 'not', how: diagnostics[0]?.message ?? 'it cannot be read' }
        : { ...all, key: skill.name, verdict: 'honoured', how: second }
    const keys = diagnostics.filter(({ code }) => code === 'not_honoured')
    const told = keys.map(({ line, message }): ImportedKey => {
      return { ...all, line, key: message.split(' ')[0] ?? '', verdict: 'not', how: message }
    })
    return [whole, ...told]
  })
}

function claudeServers(place: ImportPlace): readonly ImportedKey[] {
  const { cwd, home, policyRoot = systemPolicyRoot } = place
  const { servers, problems } = foundServers({ cwd, home, policyRoot })
  const how = 'used by members whose card names it; one of a project after trust'
  const all = (file: string) => ({ program: 'claude', file: shortened(file, place), line: 1 }) as const
  return [
    ...servers.map(({ name, file }): ImportedKey => ({
      ...all(file),
      key: `mcpServers.${name}`,
      verdict: 'differently',
      how,
    })),
    ...problems.map(({ file, message }): ImportedKey => ({
      ...all(file),
      key: 'mcpServers',
      verdict: 'not',
      how: message,
    })),
  ]
}

function shortened(file: string, { cwd, home }: ImportPlace): string {
  if (file.startsWith(`${cwd}/`)) return file.slice(cwd.length + 1)
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}

function agents(root: string, prefix: string): readonly ImportedKey[] {
  const dir = join(root, '.claude', 'agents')
  return commandFiles(dir).flatMap((name): readonly ImportedKey[] => {
    const file = `${prefix}.claude/agents/${name}`
    const source = readSource(file, join(dir, name))
    if (!isSource(source)) return []
    const { diagnostics } = readSubagentCard(source)
    const wrong = diagnostics.find(({ severity }) => severity === 'error')
    const all = { program: 'claude', file, line: 1, key: name.replace(/\.md$/, '') } as const
    const whole: ImportedKey =
      wrong === undefined
        ? { ...all, verdict: 'differently', how: `a worker of a team that says from: ${file}` }
        : { ...all, line: wrong.line, verdict: 'not', how: wrong.message }
    const keys = diagnostics.filter(({ severity }) => severity === 'warning')
    return [
      whole,
      ...keys.map(({ line, code, message }): ImportedKey => ({
        ...all,
        line,
        key: code,
        verdict: 'not',
        how: message,
      })),
    ]
  })
}

function instructions({ cwd, home }: ImportPlace): readonly ImportedKey[] {
  const texts: readonly (readonly [ForeignProgram, string, KeyVerdict])[] = [
    ['claude', 'CLAUDE.md', { verdict: 'honoured', how: 'with its @ lines' }],
    ['claude', '.claude/CLAUDE.md', { verdict: 'honoured', how: 'with its @ lines' }],
    ['claude', 'CLAUDE.local.md', { verdict: 'honoured', how: 'with its @ lines' }],
    ['codex', 'AGENTS.md', { verdict: 'honoured', how: '' }],
    ['gemini', 'GEMINI.md', { verdict: 'not', how: 'write AGENTS.md with the line @GEMINI.md' }],
  ]
  const ofHome = ['.claude/CLAUDE.md']
  return texts.flatMap(([program, name, verdict]) => [
    ...(existsSync(join(cwd, name)) ? [{ program, file: name, line: 1, key: name, ...verdict }] : []),
    ...(ofHome.includes(name) && home !== cwd && existsSync(join(home, name))
      ? [{ program, file: `~/${name}`, line: 1, key: name, ...verdict }]
      : []),
  ])
}

const files: readonly (readonly [ForeignProgram, string, string])[] = [
  ['opencode', 'opencode.json', '.config/opencode/opencode.json'],
  ['opencode', 'opencode.jsonc', '.config/opencode/opencode.jsonc'],
  ['opencode', '.opencode/opencode.json', ''],
  ['codex', '.codex/config.toml', '.codex/config.toml'],
  ['gemini', '.gemini/settings.json', '.gemini/settings.json'],
]

function others({ cwd, home }: ImportPlace): readonly ImportedKey[] {
  return files.flatMap(([program, here, there]) => {
    const paths = [join(cwd, here), ...(there === '' || home === cwd ? [] : [join(home, there)])]
    return paths.flatMap((path) => {
      const source = readSource(shortened(path, { cwd, home }), path)
      if (!isSource(source)) return source.code === 'not_found' ? [] : [unreadable(program, source)]
      return program === 'codex' ? codexKeys(source) : keysOf(program, source, () => false)
    })
  })
}

function unreadable(
  program: ForeignProgram,
  { file, message }: { readonly file: string; readonly message: string },
): ImportedKey {
  return { program, file, line: 1, key: '', verdict: 'not', how: message }
}

function codexKeys({ file, text }: Source): readonly ImportedKey[] {
  const { keys, wrong } = tomlKeys(text)
  const found = new Map<string, number>()
  for (const { path, line, table } of keys) {
    const isOne = collections.has(path[0] ?? '')
    const key = (isOne ? path.slice(0, 2) : path).join('.')
    if (!found.has(key)) found.set(key, isOne ? table : line)
  }
  const all = { program: 'codex', file } as const
  return [
    ...[...found].map(([key, line]) => ({ ...all, line, key, ...foreignKey('codex', key, false) })),
    ...(wrong === null ? [] : [{ ...all, line: wrong.line, key: '', verdict: 'not', how: wrong.message } as const]),
  ]
}
