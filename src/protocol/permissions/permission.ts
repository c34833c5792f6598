export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const
/** In scanning order: the first source with a match is the one that is named. */
export const permissionSources = ['policy', 'project', 'local', 'user', 'cliArg', 'session'] as const
export const behaviors = ['allow', 'ask', 'deny'] as const

/** A rule's source, or what decided instead of a rule. */
export const deciders = [...permissionSources, 'bounds', 'mode', 'human', 'hook', 'classifier', 'nobody'] as const

export type PermissionMode = (typeof permissionModes)[number]
export type PermissionSource = (typeof permissionSources)[number]

/** The part that a source plays; the compiler asks for that of a new source. */
export interface SourceTraits {
  /** The place of its settings files; null for a source without files. */
  readonly files: 'managed' | 'workspace' | 'home' | null
  /** One person writes it for themselves alone. */
  readonly personal: boolean
  /** The rank among those that may ask for a mode, the strongest being 1; null for a source that asks for none. */
  readonly modeRank: number | null
}

export const sourceTraits = {
  policy: { files: 'managed', personal: false, modeRank: 1 },
  project: { files: 'workspace', personal: false, modeRank: 5 },
  local: { files: 'workspace', personal: true, modeRank: 4 },
  user: { files: 'home', personal: true, modeRank: 6 },
  cliArg: { files: null, personal: true, modeRank: 2 },
  session: { files: null, personal: true, modeRank: null },
} as const satisfies Readonly<Record<PermissionSource, SourceTraits>>

/** A source that has settings files. */
export type FileSource = {
  [source in PermissionSource]: (typeof sourceTraits)[source]['files'] extends null ? never : source
}[PermissionSource]

export type Behavior = (typeof behaviors)[number]
export type RuleLists = { [behavior in Behavior]?: string[] | undefined }
export type RulesBySource = Partial<Record<PermissionSource, RuleLists>>

/** Where a rule stands, as `file:line`, and the directory that its leading `/` means instead of the project's root. */
export interface RuleOrigin {
  readonly at: string
  /** The member that it forbids, and for whom the call is made. */
  readonly of?: string
  readonly root?: string
}
/** Index for index the origins of the rules of `RulesBySource`. */
export type OriginsBySource = Partial<Record<PermissionSource, Partial<Record<Behavior, readonly RuleOrigin[]>>>>
export interface Decision {
  behavior: Behavior
  source: (typeof deciders)[number]
  /** The rule as written, when one decided. */
  rule?: string | undefined
  /** `file:line` of that rule, when it stands in a file. */
  at?: string | undefined
  /** The member that the rule forbids, when the call is made for it. */
  of?: string | undefined
  reason: string
  /** The path or host that the decision turned on. */
  path?: string | undefined
}

/** The limits of a member that no mode and no rule lifts. */
export interface Bounds {
  /** Absolute directories that nobody's rules open: run directories, settings, keys. */
  readonly protected: readonly string[]
  /** Directories inside a protected one whose files tools may read: what was put aside for agents. */
  readonly readable?: readonly string[]
  /** The same, and commands may run them; nobody changes them: skills. */
  readonly runnable?: readonly string[]
  /** Directories inside a protected one that are not closed: the worktree of a member. */
  readonly open?: readonly string[]
  /** Directories that may be read and not changed, but for what is open in them: the checkout around a worktree. */
  readonly sealed?: readonly string[]
  /** When not empty, everything outside is denied. Absolute, symlinks resolved. */
  readonly scope: readonly string[]
  readonly blockedHosts: readonly string[]
  /** Commands that are asked about in every mode, where the managed policy names its own. */
  readonly critical?: readonly string[]
}

/** The sandbox around shell commands, as far as it matters to their permission. */
export interface Sandboxed {
  /** A command inside it needs no question. */
  readonly allows: boolean
  /** Commands that run outside of it, as patterns of Bash rules. */
  readonly excluded: readonly string[]
  /** Without a sandbox no shell command runs. */
  readonly required?: boolean
  /** A call may ask to run outside of it. */
  readonly leavable?: boolean
  /** Absolute paths beside the working directories and the bounds. */
  readonly files?: SandboxFiles
  /** The hosts that commands may reach: `*` opens the network, nothing closes it. */
  readonly domains?: readonly string[]
  /** Never these, whatever is open. */
  readonly closedDomains?: readonly string[]
  /** Commands may talk to others on this machine through sockets of the file system. */
  readonly unixSockets?: boolean
}

export interface SandboxFiles {
  readonly allowWrite: readonly string[]
  readonly denyWrite: readonly string[]
  readonly denyRead: readonly string[]
  readonly allowRead: readonly string[]
}

/** The frozen policy of one member. */
export interface Policy {
  readonly mode: PermissionMode
  /** With `plan`: the mode that holds once a plan is approved; left out where no plan ends it. */
  readonly afterPlan?: PermissionMode
  /** The widest mode that a person may choose while the run goes on; default: acceptEdits. */
  readonly widest?: PermissionMode
  readonly rules: RulesBySource
  /** Where the rules stand; a rule without one came from no file. */
  readonly origins?: OriginsBySource
  readonly bounds: Bounds
  /** Shell commands run inside a sandbox of the operating system. */
  readonly sandboxed?: Sandboxed
  /** Absolute: the working directories, inside which reads are allowed in every mode. */
  readonly directories: readonly string[]
  /** Only the managed policy's allow rules count: nothing is allowed for a whole session. */
  readonly managedOnly?: boolean
  /** Variables for commands, beside those of the run. */
  readonly env?: Readonly<Record<string, string>>
  /** Searches find what `.gitignore` excludes, too. */
  readonly unignored?: true
}

/** An address outside of this machine that a tool sends to. */
export interface Reach {
  readonly url: string
  readonly variables: readonly string[]
}

/** One call on its way through the cascade. */
export interface PermissionRequest {
  readonly tool: string
  /** The tool's own word that it touches nothing outside the conversation; believed only for tools unknown here. */
  readonly harmless?: boolean
  /** The tool's own word that this call cannot be undone: no mode grants it, only a rule or a person. */
  readonly destructive?: boolean
  /** The tool's own word that a person has to be there: every call of it is asked about. */
  readonly interactive?: boolean
  /** Where the call sends something, and which variables of the environment with it. */
  readonly reaches?: Reach
  /** Files that a call of a foreign tool speaks of: bounds and forbidding rules hold for them, and nothing is allowed by them. */
  readonly files?: { readonly paths: readonly string[]; readonly access: 'read' | 'edit' }
  readonly input: unknown
  readonly cwd: string
  readonly home: string
  /** The directories in which a shell looks for programs, in their order; absent where nobody knows them. */
  readonly searched?: readonly string[]
}

/** How a person, or whoever stands in for one, answered a question. */
export interface Answer {
  readonly behavior: 'allow' | 'deny'
  readonly source: Decision['source']
  /** The rule that denied a changed input. */
  readonly rule?: string
  readonly reason: string
  /** `session` and `save` also grant rules; `stop` also ends the agent's run. */
  readonly scope?: 'once' | 'session' | 'save' | 'stop'
  /** Rules to grant instead of those that the question proposes. */
  readonly rules?: readonly string[]
  readonly updated_input?: unknown
  /** The durable request that it answers. */
  readonly request?: string
  /** Which face or member answered, in words. */
  readonly by?: string
}
