import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  marketplaceSchema,
  pluginManifestSchema,
  type Marketplace,
  type PluginManifest,
  type RemoteSource,
} from '../../protocol/plugins/plugin.ts'
import { PluginRefused } from '../../protocol/plugins/plugin-refused.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { parsePluginSource, type PluginSource, type WantedPlugin } from '../../rules/plugins/plugin-source.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { parseJson } from '../fs/parse-json.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import { fetchRepository } from './fetch-repository.ts'
import { copyPlugin } from './plugin-tree.ts'
import { manifestFile, readPlugin } from './read-plugin.ts'

/*
 * Puts the files of one plugin into a directory, wherever the plugin comes from: a directory, a repository, or a
 * marketplace, which is a list of plugins in either. Nothing of them is run.
 */

const marketplaceFile = '.claude-plugin/marketplace.json'

/** Where the files are put. */
export interface Staging {
  /** A directory that is there, for this alone; the plugin is put into `plugin` in it. */
  readonly into: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A plugin whose files were put aside. */
export interface StagedPlugin {
  /** Absolute. */
  readonly root: string
  /** The commit it was taken from; null for a directory. */
  readonly commit: string | null
}

/**
 * Fetches a plugin and copies its files.
 *
 * @throws PluginRefused for what is no plugin, or holds what none may, with the reason
 * @example await stagePlugin({ source: { kind: 'directory', path: '/home/ann/fmt' }, name: null }, { into, env })
 */
export async function stagePlugin({ source, name }: WantedPlugin, staging: Staging): Promise<StagedPlugin> {
  const whole = await take(source, { ...staging, as: 'source' })
  const market = readMarketplace(whole.root)
  if (name === null && (market === null || existsSync(join(whole.root, manifestFile))))
    return named(kept(whole, staging), source)
  if (market === null) throw new PluginRefused(`there is no ${marketplaceFile}, so no plugin "${name}" can be chosen`)
  const entry = chosen(market, name)
  const place = await placeOf(entry, { market, whole, source }, staging)
  const staged = kept(place, staging)
  describe(staged.root, entry)
  return staged
}

async function take(source: PluginSource, { into, env, as }: Staging & { readonly as: string }): Promise<StagedPlugin> {
  if (source.kind === 'directory') return { root: source.path, commit: null }
  const root = join(into, as)
  const { commit } = await fetchRepository({ url: source.url, ref: source.ref, into: root, env })
  return { root, commit }
}

function kept({ root, commit }: StagedPlugin, { into }: Staging): StagedPlugin {
  const to = join(into, 'plugin')
  copyPlugin(root, to)
  return { root: to, commit }
}

/** A plugin without a manifest gets one that says its name: that of its folder, or of its repository. */
function named(staged: StagedPlugin, source: PluginSource): StagedPlugin {
  if (existsSync(join(staged.root, manifestFile))) return staged
  const name = source.kind === 'directory' ? basename(source.path) : basename(source.url, '.git')
  readPlugin(staged.root, name)
  writeManifest(staged.root, { name })
  return staged
}

function readMarketplace(root: string): Marketplace | null {
  if (!existsSync(join(root, marketplaceFile))) return null
  const read = readPlainFile(join(root, marketplaceFile))
  const parsed = marketplaceSchema.safeParse('reason' in read ? undefined : parseJson(read.text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const why = 'reason' in read ? read.reason : `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim()
  throw new PluginRefused(`${marketplaceFile} cannot be used: ${why}`)
}

type Entry = Marketplace['plugins'][number]

function chosen({ name: market, plugins }: Marketplace, name: string | null): Entry {
  const names = plugins.map((each) => each.name)
  const shown = names.length > 30 ? `${names.slice(0, 30).join(', ')} … (${names.length} in all)` : names.join(', ')
  if (name === null)
    throw new PluginRefused(`${market} is a marketplace; add one of its plugins as NAME@SOURCE: ${shown}`)
  const found = plugins.find((each) => each.name === name)
  if (found) return found
  const near = didYouMean(name, names)
  throw new PluginRefused(
    `${market} has no plugin "${name}"; ${near === undefined ? `it has ${shown}` : `did you mean "${near}"?`}`,
  )
}

interface Origin {
  readonly market: Marketplace
  readonly whole: StagedPlugin
  readonly source: PluginSource
}

async function placeOf({ name, source }: Entry, origin: Origin, staging: Staging): Promise<StagedPlugin> {
  const { market, whole } = origin
  if (typeof source !== 'string') return remote({ ...source, name }, origin, staging)
  const above = source.startsWith('./') ? '' : (market.metadata?.pluginRoot ?? '')
  return { ...whole, root: within(whole.root, join(above, source), name) }
}

/** Another repository that a marketplace names: what counts as a repository for a person counts, a directory does not. */
async function remote(
  { name, ...source }: RemoteSource & Pick<Entry, 'name'>,
  origin: Origin,
  staging: Staging,
): Promise<StagedPlugin> {
  const address = source.repo ?? source.url ?? ''
  const ref = source.sha ?? source.ref
  const parsed = parsePluginSource(ref === undefined ? address : `${address}#${ref}`, () => false)
  if ('trouble' in parsed) throw new PluginRefused(`the marketplace's plugin "${name}": ${parsed.trouble}`)
  const isLocal = parsed.source.kind === 'git' && parsed.source.url.startsWith('file:')
  if (isLocal && origin.source.kind === 'git' && !origin.source.url.startsWith('file:'))
    throw new PluginRefused(`the marketplace's plugin "${name}" names a repository of this machine`)
  const other = await take(parsed.source, { ...staging, as: 'other' })
  return source.path === undefined ? other : { ...other, root: within(other.root, source.path, name) }
}

function within(root: string, path: string, name: string): string {
  const place = join(root, path)
  const isThere = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
  if (
    path.startsWith('/') ||
    !isInside(root, place) ||
    (isThere && !isInside(realpathSync.native(root), realpathSync.native(place)))
  )
    throw new PluginRefused(`the marketplace's plugin "${name}" is said to lie outside of it (${path})`)
  if (isThere) return place
  throw new PluginRefused(`the marketplace's plugin "${name}" is not there (${path})`)
}

/** A plugin without a manifest is what its entry in the marketplace says. */
function describe(root: string, entry: Entry): void {
  if (existsSync(join(root, manifestFile))) return
  const parsed = pluginManifestSchema.safeParse({ ...entry, source: undefined, strict: undefined })
  if (!parsed.success) throw new PluginRefused(`the marketplace's plugin "${entry.name}" has no usable description`)
  writeManifest(root, parsed.data)
}

function writeManifest(root: string, manifest: PluginManifest): void {
  const file = join(root, manifestFile)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
}
