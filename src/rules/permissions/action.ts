import type { PermissionRequest } from '../../protocol/permissions/permission.ts'
import type { ToolEffect } from '../../protocol/tools/tool.ts'
import type { BashCommand } from '../shell/bash-command.ts'
import type { Below } from '../shell/reach.ts'
import type { Looking } from '../disk/disk.ts'

/** A file that a call touches, or may touch. */
export interface ActionPath {
  /** Absolute and normal, symlinks not followed. */
  readonly path: string
  readonly access: 'read' | 'edit'
  /** Where it was found: `operand`s of a shell command are guesses that forbid but do not need permission. */
  readonly of: 'tool' | 'redirect' | 'operand'
  /** Index of the shell command it belongs to. */
  readonly command?: number | undefined
  /** A shell glob, as written: stands for whatever files match. */
  readonly glob?: string | undefined
  /** Unknown target: too many files match, links form a circle, or the line makes links on the way. */
  readonly vague?: true | undefined
  /** One of the files that a glob found has a name that its command takes for an option. */
  readonly option?: true | undefined
  /** One of the files that a glob found. */
  readonly found?: true | undefined
  /** Of such a file: the directory, where the glob takes all that is in it; also with links followed. */
  readonly whole?: readonly string[] | undefined
  /** A file that comes to be where directories are copied or get other names; the line does not name it. */
  readonly placed?: true | undefined
  /** More likely a search pattern than a file. */
  readonly loose?: boolean | undefined
  /** The value of an option that nobody knows. */
  readonly told?: true | undefined
  /** Names a file only where one matches. */
  readonly ifThere?: true | undefined
  /** The call reads the files below the path as well: hidden ones or not, or only files of these names. */
  readonly below?: Below | undefined
  /** Directories that a `..` leaves: where one of them is a symlink, the path leads elsewhere than it looks. */
  readonly climbs?: readonly string[] | undefined
  /** git reads the name from the top of the repository around the place. */
  readonly fromTop?: { readonly name: string; readonly place: string } | undefined
  /** With symlinks followed, where that is another path; added by whoever can look at the disk. */
  readonly resolved?: string
}

/** A shell command as it is judged. */
export interface ActionCommand extends BashCommand {
  /** The texts under which a deny or ask rule may know it. */
  readonly spellings: readonly string[]
  /** A rule about commands cannot tell what this one runs. */
  readonly hides: boolean
}

/** The effects of a call, as far as its arguments tell. */
export interface Action {
  readonly tool: string
  readonly kind: ToolEffect
  readonly input: Readonly<Record<string, unknown>>
  readonly cwd: string
  readonly home: string
  /** The directories in which a shell looks for programs. */
  readonly searched?: readonly string[] | undefined
  readonly paths: readonly ActionPath[]
  readonly commands: readonly ActionCommand[]
  readonly hosts: readonly string[]
  readonly destructive?: boolean
  readonly interactive?: boolean
  /** The tool is somebody else's: what its paths are allowed says nothing about the call. */
  readonly foreign?: true
  readonly reaches?: PermissionRequest['reaches']
  /** Why the call cannot be judged in full. */
  readonly unparsable?: string | undefined
  /** The line may hold commands besides those that are known. */
  readonly unseen?: true | undefined
  readonly wideGlobs?: true | undefined
  /** The disk on which the paths were looked up. */
  readonly disk?: Looking
}

/** A denial that no rule lifts, or a question that rules cannot answer with yes. */
export interface BoundsVerdict {
  readonly behavior: 'deny' | 'ask'
  /** Holds in `bypassPermissions` as well. */
  readonly always: boolean
  readonly reason: string
  readonly path?: string
}

/** A path as written and, where known, where it really leads. */
export function spots(path: ActionPath): readonly string[] {
  return path.resolved === undefined || path.resolved === path.path ? [path.path] : [path.path, path.resolved]
}

/** The target of the path is known. */
export function isSure({ climbs, vague, glob }: ActionPath): boolean {
  return climbs === undefined && vague === undefined && glob === undefined
}

/** Fewer paths than this are not looked through for equal ones. */
const few = 16

/** The paths, each once: a long line may name the same directory with every command. */
export function distinctPaths(paths: readonly ActionPath[], keyOf = whereabouts): readonly ActionPath[] {
  return paths.length < few ? paths : [...new Map(paths.map((path) => [keyOf(path), path])).values()]
}

function whereabouts(path: ActionPath): string {
  return [path.access, ...spots(path), JSON.stringify(path.below)].join(' ')
}
