import { z } from 'zod'

export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const
/** In scanning order: the first source with a match is the one that is named. */
export const permissionSources = ['policy', 'project', 'local', 'user', 'cliArg', 'session'] as const
export const behaviors = ['allow', 'ask', 'deny'] as const

export const ruleListsSchema = z.object({
  allow: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
})

export const decisionSchema = z.object({
  behavior: z.enum(behaviors),
  /** A rule's source, or what decided instead of a rule. */
  source: z.enum([...permissionSources, 'bounds', 'mode', 'human', 'hook', 'classifier', 'nobody']),
  /** The rule as written, when one decided. */
  rule: z.string().optional(),
  reason: z.string(),
  /** The path or host that the decision turned on. */
  path: z.string().optional(),
})

export type PermissionMode = (typeof permissionModes)[number]
export type PermissionSource = (typeof permissionSources)[number]
export type Behavior = (typeof behaviors)[number]
export type RuleLists = z.infer<typeof ruleListsSchema>
export type RulesBySource = Partial<Record<PermissionSource, RuleLists>>
export type Decision = z.infer<typeof decisionSchema>

/** What a member may never do, whatever its mode and rules (DESIGN §8, bounds). */
export interface Bounds {
  /** Absolute directories that nobody's rules open: run directories, settings, keys. */
  readonly protected: readonly string[]
  /** Directories inside a protected one whose files tools may read: what was put aside for agents. */
  readonly readable?: readonly string[]
  /** When not empty, everything outside is denied. Absolute, symlinks resolved. */
  readonly scope: readonly string[]
  readonly blockedHosts: readonly string[]
}

/** The frozen policy of one member. */
export interface Policy {
  readonly mode: PermissionMode
  readonly rules: RulesBySource
  readonly bounds: Bounds
  /** Absolute: the working directories, inside which reads are allowed in every mode. */
  readonly directories: readonly string[]
}

/** One call on its way through the cascade. */
export interface PermissionRequest {
  readonly tool: string
  /** The tool's own word that it touches nothing outside the conversation; believed only for tools unknown here. */
  readonly harmless?: boolean
  readonly input: unknown
  readonly cwd: string
  readonly home: string
}

/** How a person, or nobody, answered a question. */
export interface Answer {
  readonly behavior: 'allow' | 'deny'
  readonly source: 'human' | 'nobody' | 'hook' | 'classifier'
  readonly reason: string
  /** `session` adds a session rule; `stop` also ends the agent's run. */
  readonly scope?: 'once' | 'session' | 'stop'
  readonly updated_input?: unknown
}
