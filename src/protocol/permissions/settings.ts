import { z } from 'zod'
import { providersSchema, type ProviderSpecs } from '../words/provider-spec.ts'
import type { Hook, HookLimits, HookSource, HookSwitches } from '../hooks/hook.ts'
import type { Diagnostic } from '../words/diagnostic.ts'
import { ruleListsSchema } from './permission-schema.ts'
import {
  permissionModes,
  type FileSource,
  type OriginsBySource,
  type PermissionMode,
  type PermissionSource,
  type RulesBySource,
} from './permission.ts'

/** A settings file as people write it. Every object is strict: an unknown key is a mistake. */

const texts = z.array(z.string())

export const permissionSettingsSchema = z.strictObject({
  allow: ruleListsSchema.shape.allow.describe(
    'Rules for calls that need no question. Those of a project count only in a trusted workspace.',
  ),
  ask: ruleListsSchema.shape.ask.describe('Rules for calls that are always asked about.'),
  deny: ruleListsSchema.shape.deny.describe('Rules for calls that never happen, whatever else allows them.'),
  defaultMode: z.enum(permissionModes).optional().describe('What happens to a call that no rule names.'),
  blocked_hosts: texts
    .optional()
    .describe('Hosts that no call may name, and what lies below them; no rule and no mode opens them.'),
  additionalDirectories: texts
    .optional()
    .describe('Working directories beside the one the team runs in; relative to the project, or from `~/` or `/`.'),
  classifier: z
    .string()
    .optional()
    .describe(
      'A model, as `provider/model`, that judges calls which no rule decides, before a person is asked. Only in the managed policy and in your own settings at home.',
    ),
  disableBypassPermissionsMode: z
    .literal('disable')
    .optional()
    .describe('`disable` keeps bypassPermissions mode shut, whatever the command line says.'),
})

export const sandboxSettingsSchema = z.strictObject({
  enabled: z.boolean().optional().describe('Run shell commands inside a sandbox of the operating system.'),
  failIfUnavailable: z.boolean().optional().describe('Without a sandbox, run no shell command at all.'),
  autoAllowBashIfSandboxed: z.boolean().optional().describe('Sandboxed commands need no question.'),
  allowUnsandboxedCommands: z.boolean().optional().describe('Commands may ask to run outside of the sandbox.'),
  excludedCommands: texts.optional().describe('Commands that always run outside of the sandbox.'),
  filesystem: z
    .strictObject({
      allowWrite: texts.optional().describe('Paths that commands may write beside the working directories.'),
      denyWrite: texts.optional().describe('Paths that commands may not write.'),
      denyRead: texts.optional().describe('Paths that commands may not read.'),
      allowRead: texts.optional().describe('Paths below a `denyRead` that commands may read after all.'),
    })
    .optional()
    .describe('Files and directories, seen from inside the sandbox.'),
  network: z
    .strictObject({
      allowedDomains: texts.optional().describe('Hosts that commands may reach.'),
      deniedDomains: texts.optional().describe('Hosts that commands may not reach, whatever is allowed.'),
      allowAllUnixSockets: z
        .boolean()
        .optional()
        .describe('Commands may use sockets of this machine: whoever listens there works outside of the sandbox.'),
    })
    .optional()
    .describe('The network, seen from inside the sandbox.'),
})

/** A variable of the environment that settings may set: those of Troupe itself say who is above a command. */
const variableName = z
  .string()
  .regex(/^(?!TROUPE_)[A-Za-z_][A-Za-z0-9_]*$/, 'is no name of a variable that settings set')

export const settingsSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  env: z
    .record(variableName, z.string())
    .optional()
    .describe('Variables for commands of agents. Those of a project count only in a trusted workspace.'),
  model: z
    .string()
    .regex(/^[^/\s]+\/\S+$/, 'is written as provider/model')
    .optional()
    .describe('The model, as `provider/model`, of teams and members that name none; from the next run on.'),
  disallowedTools: texts.optional().describe('Tools that no agent has, as deny rules: `WebFetch`, `Bash(git push:*)`.'),
  respectGitignore: z.boolean().optional().describe('`false`: Glob and Grep also find what `.gitignore` excludes.'),
  hooks: z
    .unknown()
    .optional()
    .describe('Programs and servers that are asked, or told, at events: the format of Claude Code. See how-to/hooks.'),
  disableAllHooks: z
    .boolean()
    .optional()
    .describe('No hook of this file and of weaker sources runs; in a project only those of its own files.'),
  allowManagedHooksOnly: z.boolean().optional().describe('In the managed policy only: no other hooks run.'),
  allowedHttpHookUrls: texts
    .optional()
    .describe('Addresses that `http` hooks may ask, `*` for any text. In a project it binds its own hooks alone.'),
  httpHookAllowedEnvVars: texts
    .optional()
    .describe('Variables that headers of `http` hooks may hold. In a project it binds its own hooks alone.'),
  permissions: permissionSettingsSchema.optional().describe('What agents may do.'),
  sandbox: sandboxSettingsSchema.optional().describe('The fence around shell commands.'),
  providers: providersSchema
    .optional()
    .describe('Servers of models by name. Those of a project count only in a trusted workspace.'),
  allowManagedPermissionRulesOnly: z
    .boolean()
    .optional()
    .describe('In the managed policy only: allow rules of every other source do not count.'),
  criticalCommands: texts
    .optional()
    .describe(
      'In the managed policy only: the commands that are asked about in every mode, in place of the built-in list (`mkfs`, `shutdown`, `dd` to a device …).',
    ),
})

export type SandboxSettings = z.infer<typeof sandboxSettingsSchema>
export type SettingsDocument = z.infer<typeof settingsSchema>

/** The sources that are files. */
/** Where a settings file lies, whether or not it is there. */
export interface SettingsPlace {
  readonly source: FileSource
  /** Absolute. */
  readonly path: string
  /** How people are told of it. */
  readonly shown: string
  /** The directory that a rule's leading `/` and a relative directory start from. */
  readonly root: string
  /** Another program's file: read for the keys we know, never written; what we do not know is listed, not refused. */
  readonly foreign: boolean
}

/** A text of a settings file and where it stands, as `file:line`. */
export interface Placed<Text extends string = string> {
  readonly text: Text
  readonly at: string
}

/** The content of one settings file, as far as it may be believed. */
export interface SettingsLayer {
  readonly place: SettingsPlace
  readonly allow: readonly Placed[]
  readonly ask: readonly Placed[]
  readonly deny: readonly Placed[]
  readonly mode: Placed<PermissionMode> | null
  readonly directories: readonly Placed[]
  readonly blockedHosts: readonly string[]
  readonly classifier: Placed | null
  readonly sandbox: SandboxSettings | null
  readonly providers: ProviderSpecs
  readonly env: Readonly<Record<string, string>>
  readonly model: string | null
  readonly respectGitignore: boolean | null
  readonly hooks: readonly Hook[]
  readonly hookSwitches: HookSwitches
  readonly bypassDisabled: boolean
  readonly managedOnly: boolean
  readonly critical: readonly string[] | null
}

/** A settings file that was found, for `doctor`. */
export interface SettingsFile {
  readonly source: FileSource
  readonly file: string
  /** `partial`: something in it is wrong, so that only its deny and ask rules count; `unread`: nothing could be read. */
  readonly status: 'read' | 'partial' | 'unread'
  readonly rules: number
  /** Keys of another program that mean nothing here. */
  readonly ignored: readonly Placed[]
}

/** One opening that a workspace's own files ask for; `text` is shown to a person and remembered. */
export interface Grant extends Placed {
  readonly kind:
    | 'allow'
    | 'mode'
    | 'directory'
    | 'sandbox'
    | 'tool'
    | 'code'
    | 'provider'
    | 'mcp'
    | 'hook'
    | 'memory'
    | 'env'
    | 'skill'
}

/** The settings of a workspace at one moment, all sources together. Plain data. */
export interface Settings {
  readonly rules: RulesBySource
  /** Where each rule stands; same lists, same order. */
  readonly origins: OriginsBySource
  /** The default mode that each source asks for. */
  readonly modes: Partial<Record<PermissionSource, PermissionMode>>
  /** bypassPermissions mode may be entered. */
  readonly bypass: boolean
  /** Only the managed policy's allow rules count. */
  readonly managedOnly: boolean
  /** The managed policy's own list of critical commands. */
  readonly critical: readonly string[] | null
  /** Hosts that no call may name. */
  readonly blockedHosts: readonly string[]
  /** Absolute. */
  readonly additionalDirectories: readonly string[]
  /** The model that judges calls which no rule decides. */
  readonly classifier: string | null
  readonly sandbox: SandboxSettings
  /** Servers of models by name. */
  readonly providers: ProviderSpecs
  /** Variables for commands of agents. */
  readonly env: Readonly<Record<string, string>>
  /** The model of those that name none. */
  readonly model: string | null
  /** Searches leave out what `.gitignore` excludes. */
  readonly respectGitignore: boolean
  /** The hooks that run, the strongest source first. */
  readonly hooks: readonly Hook[]
  /** Sources whose hooks are switched off, wherever those stand. */
  readonly hooksOff: readonly HookSource[]
  /** Lists that bind hooks which are servers, wherever those stand. */
  readonly hookLimits: HookLimits
  /** The trusted part of the workspace: these texts, or all. */
  readonly trusted: 'all' | readonly string[]
  /** Openings in the workspace's files that do not count, because nobody trusted them yet. */
  readonly untrusted: readonly Grant[]
  /** Settings files, there or not: closed to agents. */
  readonly closed: readonly string[]
  readonly files: readonly SettingsFile[]
  readonly problems: readonly Diagnostic[]
}
