import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  describingKeys,
  pluginManifestSchema,
  type PluginContent,
  type PluginManifest,
  type PluginProblem,
} from '../../protocol/plugins/plugin.ts'
import { PluginRefused } from '../../protocol/plugins/plugin-refused.ts'
import { readHooks } from '../../rules/hooks/read-hooks.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { pluginServer } from '../../rules/plugins/plugin-servers.ts'
import { namesIn } from '../fs/names-in.ts'
import { parseJson } from '../fs/parse-json.ts'
import { readPlainFile } from '../fs/plain-file.ts'

/*
 * Reads a plugin in the layout of Claude Code: `.claude-plugin/plugin.json`, commands/, agents/, skills/,
 * hooks/hooks.json, .mcp.json, and teams/, which only Troupe has. Nothing of the plugin is run.
 * A path of the manifest names files beside the usual ones, inside of the plugin alone.
 */

/** Where a plugin says what it is called. */
export const manifestFile = '.claude-plugin/plugin.json'

/** Parts of a plugin, by their usual places. */
const usualParts = ['commands', 'agents', 'skills', 'hooks/hooks.json', '.mcp.json', 'teams']

/** Parts of a plugin that mean nothing here, by key of the manifest and by usual place. */
const foreignParts = {
  '.lsp.json': 'language servers are not started',
  'output-styles': 'there are no output styles',
  themes: 'there are no themes',
  monitors: 'nothing is watched for a plugin',
  'settings.json': 'settings of a plugin do not count',
} as const
const honouredKeys = new Set(['name', 'version', 'description', 'commands', 'agents', 'skills', 'hooks', 'mcpServers'])

interface Reading {
  readonly root: string
  readonly manifest: PluginManifest
  readonly problems: PluginProblem[]
  readonly unheeded: PluginProblem[]
}

/**
 * Reads what a plugin brings.
 *
 * @param root the folder of the plugin; absolute
 * @param called the plugin's name where it has no manifest (default: the name of its folder)
 * @throws PluginRefused where the manifest cannot be read, and where there is neither a manifest nor any part of a plugin
 * @source https://code.claude.com/docs/en/plugins-reference
 * @example readPlugin('/home/ann/fmt').hooks.length // 1
 */
export function readPlugin(root: string, called = basename(root)): PluginContent {
  const manifest = readManifest(root, called)
  const { name, version = null, description = '' } = manifest
  const reading: Reading = { root, manifest, problems: [], unheeded: unheededIn(root, manifest) }
  return {
    name,
    version,
    description,
    root,
    commands: placesOf(reading, 'commands', 'commands'),
    skills: placesOf(reading, 'skills', 'skills'),
    agents: filesIn(placesOf(reading, 'agents', 'agents'), /^(.+)\.md$/),
    teams: filesIn([join(root, 'teams')], /^([a-z][a-z0-9-]*)\.ya?ml$/),
    hooks: hooksOf(reading),
    servers: serversOf(reading),
    problems: reading.problems,
    unheeded: reading.unheeded,
  }
}

/** @throws PluginRefused */
function readManifest(root: string, called: string): PluginManifest {
  const place = join(root, manifestFile)
  if (!isThere(place)) return unwritten(root, called)
  const read = readPlainFile(place)
  if ('reason' in read) throw new PluginRefused(`${manifestFile}: ${read.reason}`)
  const value = parseJson(read.text)
  if (value === undefined) throw new PluginRefused(`${manifestFile} is no JSON`)
  const parsed = pluginManifestSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new PluginRefused(`${manifestFile}: ${issue?.path.join('.') || 'the file'} ${issue?.message ?? 'is wrong'}`)
}

/** A plugin without a manifest is called as its folder, and shows by its parts that it is one. */
function unwritten(root: string, name: string): PluginManifest {
  if (!usualParts.some((part) => isThere(join(root, part))))
    throw new PluginRefused(`there is no ${manifestFile} and none of ${usualParts.join(', ')}, so it is no plugin`)
  const parsed = pluginManifestSchema.safeParse({ name })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new PluginRefused(
    `there is no ${manifestFile}, and the folder's name "${name}" cannot be that of a plugin: it ${issue?.message ?? 'is wrong'}; write {"name": …} into ${manifestFile}`,
  )
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** The usual place of a part and those that the manifest names beside it. */
function placesOf(reading: Reading, key: 'commands' | 'agents' | 'skills', usual: string): readonly string[] {
  const { root, manifest } = reading
  const named = [manifest[key] ?? []].flat()
  const places = named.flatMap((path) => placeIn(reading, key, path) ?? [])
  return [...new Set([...(isThere(join(root, usual)) ? [join(root, usual)] : []), ...places])]
}

/** A path of the manifest: one that leads out of the plugin, or nowhere, is a problem. */
function placeIn({ root, problems }: Reading, key: string, path: string): string | null {
  const place = join(root, path)
  const wrong = (message: string): null => {
    problems.push({ file: manifestFile, message: `${key}: ${JSON.stringify(path)} ${message}` })
    return null
  }
  if (path.startsWith('/') || !isInside(root, place)) return wrong('leads out of the plugin')
  return isThere(place) ? place : wrong('is not there')
}

/** Files of folders, and files that are named themselves, by the part of their name that a pattern finds. */
function filesIn(places: readonly string[], pattern: RegExp): ReadonlyMap<string, string> {
  const files = places.flatMap((place) =>
    pattern.test(basename(place)) ? [place] : namesIn(place).map((name) => join(place, name)),
  )
  const named = files.toSorted().flatMap((file): readonly (readonly [string, string])[] => {
    const [, name] = pattern.exec(basename(file)) ?? []
    return name === undefined || !statSync(file).isFile() ? [] : [[name, file]]
  })
  return new Map(named)
}

/** Tables of one kind: of the usual file, of files that the manifest names, and of the manifest itself. */
function tablesOf(reading: Reading, key: 'hooks' | 'mcpServers', usual: string) {
  const { root, manifest, problems } = reading
  const named = [manifest[key] ?? []].flat()
  const own = isThere(join(root, usual)) ? [usual] : []
  const inline = named.flatMap((each) => (typeof each === 'string' ? [] : [{ file: manifestFile, value: each }]))
  const files = named.flatMap((each) => (typeof each === 'string' && placeIn(reading, key, each) ? [each] : []))
  const plain = [...new Set([...own, ...files].map((file) => join(root, file)))]
  const read = plain.flatMap((path) => {
    const file = path.slice(root.length + 1)
    const text = readPlainFile(path)
    const value = 'reason' in text ? undefined : parseJson(text.text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return [{ file, value }]
    problems.push({ file, message: 'reason' in text ? text.reason : 'is no JSON object' })
    return []
  })
  return [...read, ...inline]
}

/** A table may stand alone, or below a key with its own name. */
function below(value: object, key: string): unknown {
  return key in value ? (value as Readonly<Record<string, unknown>>)[key] : value
}

function hooksOf(reading: Reading): PluginContent['hooks'] {
  const { root, manifest, problems, unheeded } = reading
  return tablesOf(reading, 'hooks', 'hooks/hooks.json').flatMap(({ file, value }) => {
    const at = (): string => `plugin ${manifest.name} ${file}`
    const { hooks, complaints } = readHooks(below(value, 'hooks'), { source: 'plugin', at, root })
    for (const { path, message, code } of complaints) {
      const list = code === 'never_fires' ? unheeded : problems
      list.push({ file, message: `${path.join('.')}: ${message}` })
    }
    return hooks
  })
}

function serversOf(reading: Reading): PluginContent['servers'] {
  const { root, manifest, problems } = reading
  return tablesOf(reading, 'mcpServers', '.mcp.json').flatMap(({ file, value }) =>
    Object.entries(below(value, 'mcpServers') ?? {}).flatMap(([name, entry]) => {
      const server = pluginServer({ plugin: manifest.name, root }, name, entry)
      if (!('trouble' in server)) return [server]
      problems.push({ file, message: server.trouble })
      return []
    }),
  )
}

function unheededIn(root: string, manifest: PluginManifest): PluginProblem[] {
  const describing = new Set<string>(describingKeys)
  const keys = Object.keys(manifest).filter((key) => !honouredKeys.has(key) && !describing.has(key))
  return [
    ...keys.map((key) => ({ file: manifestFile, message: `${key} means nothing here` })),
    ...Object.entries(foreignParts).flatMap(([file, message]) =>
      isThere(join(root, file)) ? [{ file, message }] : [],
    ),
  ]
}
