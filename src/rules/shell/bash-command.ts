import type { BashWord } from './bash-word.ts'
import type { ListedPlaces } from './listed-places.ts'

/** One simple command of a line, wherever it stands: list, pipeline, loop, function, substitution, `sh -c`. */
export interface BashCommand {
  /** Assignments and words as written, single blanks between them. */
  readonly text: string
  /** The name and its arguments; empty for bare assignments and for redirects of a group. */
  readonly words: readonly BashWord[]
  /** `NAME=value` before the command. */
  readonly assignments: readonly string[]
  readonly redirects: readonly BashRedirect[]
  /** The directories that it may run in; null where they are unknown. */
  readonly directories: readonly string[] | null
  /** Stands in the script text of another command, which needs permission as a whole. */
  readonly within?: true
  /** Stands in a text of which nobody knows that a shell gets it: what is not known of the command is no doubt. */
  readonly perhaps?: true
  /** Where the files lie that the command in front of it in a pipeline names. */
  readonly listed?: ListedPlaces
  /** `find` runs it for each thing that it finds. */
  readonly found?: true
  /** The files that its patch changes stand among its operands. */
  readonly patched?: true
  /** Why bash may run a text as a command while it works out the words. */
  readonly hazard?: string
  /** The texts that it gets to read: here-strings, here-documents, what `echo` says in front of it. */
  readonly fed?: readonly string[] | undefined
  /** The texts that the line has said in front of it, where it has written files: the program may read them there. */
  readonly written?: readonly string[]
}

/** A file that a redirect opens. */
export interface BashRedirect {
  readonly access: 'read' | 'edit'
  readonly word: BashWord
}
