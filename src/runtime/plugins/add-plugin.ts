import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { pluginFolder, pluginsFolder, readLock, writeLock } from '../../adapters/plugins/plugin-lock.ts'
import { pluginFiles, pluginHash } from '../../adapters/plugins/plugin-tree.ts'
import { readPlugin } from '../../adapters/plugins/read-plugin.ts'
import { stagePlugin } from '../../adapters/plugins/stage-plugin.ts'
import { errorCode } from '../../adapters/fs/error-code.ts'
import { lockFolder } from '../../adapters/settings/lock-folder.ts'
import { forgetTrust, rememberTrust } from '../../adapters/settings/trust-file.ts'
import type { LockedPlugin } from '../../protocol/plugins/plugin.ts'
import { PluginRefused } from '../../protocol/plugins/plugin-refused.ts'
import { pluginGrant } from '../../rules/plugins/plugin-grants.ts'
import { pluginData } from '../../rules/plugins/plugin-servers.ts'
import { parsePluginSource, type WantedPlugin } from '../../rules/plugins/plugin-source.ts'
import { pluginReport, type PluginReport } from './plugin-report.ts'
import { addedPlugins, pluginsWorkspace, type AddedPlugin } from './trusted-plugins.ts'

/** Where a person adds a plugin. */
export interface AddingPlace {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** ISO 8601. */
  readonly at: string
}

/** A plugin that was fetched and is about to be added. */
export interface FetchedPlugin {
  readonly report: PluginReport
  readonly sha256: string
  readonly commit: string | null
  /** Whether a plugin of that name is there, and with the same files; `trusted`: those files are trusted already. */
  readonly before: 'none' | 'other' | 'same' | 'trusted'
  /** Other files of that plugin are trusted, and would be replaced. */
  readonly replacesTrusted: boolean
}

/**
 * Fetches a plugin, shows it to somebody who decides, and adds it as they say. Nothing of the plugin is run.
 *
 * @param decide says what becomes of it: `trust`, `keep` untrusted, or `drop`
 * @throws PluginRefused for what is no plugin, or holds what none may; nothing is then added
 * @example await addPlugin('./fmt', place, async ({ report }) => 'trust')
 */
export async function addPlugin(
  source: string,
  place: AddingPlace,
  decide: (fetched: FetchedPlugin) => Promise<'trust' | 'keep' | 'drop'>,
): Promise<{ readonly fetched: FetchedPlugin; readonly done: 'trust' | 'keep' | 'drop' }> {
  const { cwd, home, env, at } = place
  const wanted = wantedPlugin(source, cwd)
  const { problem } = readLock(home)
  if (problem !== null) throw new PluginRefused(problem)
  mkdirSync(pluginsFolder(home), { recursive: true, mode: 0o700 })
  const into = mkdtempSync(join(pluginsFolder(home), '.adding-'))
  try {
    const { root, commit } = await stagePlugin(wanted, { into, env })
    const report = pluginReport(readPlugin(root))
    const { name, version } = report
    const sha256 = pluginHash(root)
    const known = addedPlugins(home).plugins.find((plugin) => plugin.name === name)
    const before = beforeThat(known, sha256)
    const replacesTrusted = before === 'other' && known?.state === 'trusted'
    const fetched: FetchedPlugin = { report, sha256, commit, before, replacesTrusted }
    const done = await decide(fetched)
    if (done === 'drop') return { fetched, done }
    const entry = { source: sourceText(wanted), version, commit, sha256, added: at }
    await changingPlugins(home, () => put(home, { root, report, entry }, { before, done }))
    return { fetched, done }
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

/**
 * Does what changes the plugins of a person, while no other process does.
 * @throws PluginRefused where the lock file cannot be believed, or another process never ends
 */
async function changingPlugins<Done>(home: string, work: () => Done): Promise<Done> {
  const folder = pluginsFolder(home)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder, join(folder, '.lock')).catch((error: unknown) => {
    throw new PluginRefused(`another process is changing the plugins in ${folder} (${errorCode(error) ?? 'unknown'})`)
  })
  try {
    const { problem } = readLock(home)
    if (problem !== null) throw new PluginRefused(problem)
    return work()
  } finally {
    await release()
  }
}

interface Staged {
  readonly root: string
  readonly report: PluginReport
  readonly entry: LockedPlugin
}

function put(
  home: string,
  { root, report: { name }, entry }: Staged,
  { before, done }: Pick<FetchedPlugin, 'before'> & { readonly done: 'trust' | 'keep' },
): void {
  const to = pluginFolder(home, name, entry.sha256)
  if (before === 'none' || before === 'other') {
    rmSync(to, { recursive: true, force: true })
    renameSync(root, to)
  }
  mkdirSync(pluginData(to), { recursive: true, mode: 0o700 })
  if (done === 'trust') rememberTrust(home, pluginsWorkspace(home), [pluginGrant(name, entry.sha256)])
  writeLock(home, name, entry)
}

function beforeThat(known: AddedPlugin | undefined, sha256: string): FetchedPlugin['before'] {
  if (known === undefined) return 'none'
  if (known.entry.sha256 !== sha256 || known.content === null) return 'other'
  return known.state === 'trusted' ? 'trusted' : 'same'
}

/** @throws PluginRefused for a text that is no source */
function wantedPlugin(text: string, cwd: string): WantedPlugin {
  const parsed = parsePluginSource(
    text,
    (path) => statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true,
  )
  if ('trouble' in parsed) throw new PluginRefused(parsed.trouble)
  const { source, name } = parsed
  return source.kind === 'git' ? parsed : { name, source: { kind: 'directory', path: resolve(cwd, source.path) } }
}

function sourceText({ source, name }: WantedPlugin): string {
  const text = source.kind === 'directory' ? source.path : `${source.url}${source.ref === null ? '' : `#${source.ref}`}`
  return name === null ? text : `${name}@${text}`
}

/**
 * Removes a plugin with all its copies, its data and the trust in it; says whether there was one.
 * @throws PluginRefused where the lock file cannot be believed; what the disk says
 */
export async function removePlugin(home: string, name: string): Promise<boolean> {
  return changingPlugins(home, () => {
    const entry = readLock(home).plugins[name]
    if (entry === undefined) return false
    writeLock(home, name, null)
    forgetTrust(home, pluginsWorkspace(home), (text) => text.startsWith(pluginGrant(name, '')))
    for (const each of namesIn(pluginsFolder(home)).filter((folder) => folder.startsWith(`${name}@`)))
      rmSync(join(pluginsFolder(home), each), { recursive: true, force: true })
    const data = pluginData(pluginFolder(home, name, entry.sha256))
    rmSync(data, { recursive: true, force: true })
    if (namesIn(dirname(data)).length === 0) rmSync(dirname(data), { recursive: true, force: true })
    return true
  })
}

/**
 * Reads a plugin that lies in a directory as it would be read if it were added.
 * @throws PluginRefused as adding would
 */
export function checkedPlugin(root: string): PluginReport {
  pluginFiles(root)
  return pluginReport(readPlugin(root))
}
