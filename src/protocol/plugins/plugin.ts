import { z } from 'zod'
import type { Hook } from '../hooks/hook.ts'
import type { McpServerSpec } from '../mcp/server-spec.ts'

/** Plugins in the layout of Claude Code, and the lock file that says which ones a person added. */

/** A plugin's name stands before a colon in the names of all that the plugin brings, and in the name of its folder. */
export const pluginNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'must start with a small letter or a digit and hold at most 64 small letters, digits, ".", "_" and "-"',
  )

const paths = z.union([z.string(), z.array(z.string())])
const tables = z.union([paths, z.record(z.string(), z.unknown())])

/** The parts of a plugin that a manifest, or the entry of a marketplace, names beside the usual folders. */
const namedParts = {
  commands: paths.optional(),
  agents: paths.optional(),
  skills: paths.optional(),
  hooks: tables.optional(),
  mcpServers: tables.optional(),
}

/** `.claude-plugin/plugin.json`; further keys are reported, not refused. */
export const pluginManifestSchema = z.looseObject({
  name: pluginNameSchema,
  version: z.string().max(64).optional(),
  description: z.string().optional(),
  ...namedParts,
})
export type PluginManifest = z.infer<typeof pluginManifestSchema>

/** Keys of a manifest that say who made a plugin: they change nothing, so nobody is told that they are not honoured. */
export const describingKeys = [
  '$schema',
  'author',
  'category',
  'displayName',
  'homepage',
  'keywords',
  'license',
  'repository',
  'source',
  'strict',
  'tags',
] as const

const remoteSchema = z.looseObject({
  repo: z.string().optional(),
  url: z.string().optional(),
  path: z.string().optional(),
  ref: z.string().optional(),
  sha: z.string().optional(),
})

/** `.claude-plugin/marketplace.json`: plugins by name, each in a folder of the marketplace or in a repository of its own. */
export const marketplaceSchema = z.looseObject({
  name: z.string(),
  metadata: z.looseObject({ pluginRoot: z.string().optional() }).optional(),
  plugins: z.array(z.looseObject({ name: z.string(), source: z.union([z.string(), remoteSchema]) })),
})
export type Marketplace = z.infer<typeof marketplaceSchema>
export type RemoteSource = z.infer<typeof remoteSchema>

/** One plugin that a person added. */
export const lockedPluginSchema = z.strictObject({
  /** As the person wrote the source. */
  source: z.string(),
  version: z.string().nullable(),
  /** The commit of a git repository. */
  commit: z.string().nullable(),
  /** The SHA-256 of all files: names, contents, rights, links. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  added: z.string(),
})
export type LockedPlugin = z.infer<typeof lockedPluginSchema>

/** `~/.troupe/plugins/lock.json` */
export const pluginLockSchema = z.strictObject({
  spec: z.literal(1),
  plugins: z.record(pluginNameSchema, lockedPluginSchema),
})

/** A server of a plugin under the name that it has in Troupe. */
export interface PluginServer {
  readonly name: string
  readonly spec: McpServerSpec
}

/** A plugin that is not taken, with the reason in words for people. */
export class PluginRefused extends Error {
  override readonly name = 'PluginRefused'
}

/** A mistake in a plugin, or a part of it that is not honoured. */
export interface PluginProblem {
  readonly file: string
  readonly message: string
}

/** The content of a plugin, as far as it can be told without reading commands, skills, agents and teams. */
export interface PluginContent {
  readonly name: string
  readonly version: string | null
  readonly description: string
  /** Absolute; where the files are. */
  readonly root: string
  /** Files of commands, and folders of such files; absolute. */
  readonly commands: readonly string[]
  /** Folders of skills, and folders of such folders; absolute. */
  readonly skills: readonly string[]
  /** Cards of agents by name; absolute. */
  readonly agents: ReadonlyMap<string, string>
  /** Team files by name; absolute. */
  readonly teams: ReadonlyMap<string, string>
  readonly hooks: readonly Hook[]
  readonly servers: readonly PluginServer[]
  /** Mistakes: these parts cannot be used. */
  readonly problems: readonly PluginProblem[]
  /** Parts that mean nothing here. */
  readonly unheeded: readonly PluginProblem[]
}
