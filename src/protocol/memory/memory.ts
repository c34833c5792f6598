/** The kinds of memory, a closed list (seed page 13). */
export const memoryKinds = ['user', 'feedback', 'project', 'reference'] as const
export type MemoryKind = (typeof memoryKinds)[number]

/**
 * Where memories are kept, in the words of Claude Code: `user` for a person everywhere, `local` for a person in one project,
 * `project` for everybody who works on the project.
 */
export const memoryScopes = ['user', 'local', 'project'] as const
export type MemoryScope = (typeof memoryScopes)[number]

/** Kinds that hold a person's own words. */
export function isPersonal(kind: MemoryKind): boolean {
  return kind === 'user' || kind === 'feedback'
}

/** The author of a memory, and the entry of a journal that it was taken from. */
export interface MemorySource {
  readonly by: 'person' | 'agent'
  readonly run?: string | undefined
  readonly member?: string | undefined
  readonly entry?: string | undefined
  /** The file that a person imported. */
  readonly file?: string | undefined
}

/** A memory that is to be written. */
export interface MemoryDraft {
  readonly kind: MemoryKind
  /** Words of which its name is made. */
  readonly title: string
  /** One line. */
  readonly description: string
  /** Markdown. */
  readonly text: string
  /** A day, as `2026-11-26`. */
  readonly date: string
  readonly source: MemorySource
}

/** A memory as it lies on the disk. */
export interface Memory extends Omit<MemoryDraft, 'title'> {
  /** The file's name without `.md`. */
  readonly name: string
  readonly scope: MemoryScope
  readonly path: string
}

/** A file among the memories that is none, with the reason and the remedy. */
export interface MemoryProblem {
  readonly file: string
  readonly reason: string
}

/** The wish of an agent that something be remembered. */
export interface MemoryWish {
  readonly kind: MemoryKind
  readonly title: string
  readonly text: string
  /** Words of a person, for kinds that hold nothing else. */
  readonly quote?: string | undefined
}

/** The outcome of an act on memories, in words for the agent; `trouble`: nothing was done. */
export type MemoryAnswer = { readonly text: string } | { readonly trouble: string }

/** The acts behind the memory tools. */
export interface MemoryPort {
  /** @param wish `replaces` names a memory that goes when the new one is there */
  remember(wish: MemoryWish & { readonly replaces?: string | undefined }): Promise<MemoryAnswer>
  recall(name: string): MemoryAnswer
  forget(wish: { readonly name: string; readonly quote?: string | undefined }): Promise<MemoryAnswer>
}

/** `.troupe/.gitignore`: git sees nothing of the folder but what a project shares on purpose. */
export const ignoreText = ['*', '!/memory/', '!/memory/*.md', '/memory/MEMORY.md', ''].join('\n')

/** The same before memories could be shared. */
export const earlierIgnoreText = '*\n'
