/**
 * Files as tools see them. This machine's disk is one backend; a container or another machine may stand behind the
 * same interface. Nothing here throws: what goes wrong is a `FileTrouble` in words for the model.
 *
 * `led` is where the path really led when permission was given. A backend opens first and then compares, so that
 * nothing can be swapped between the permission and the use.
 */
export interface Filesystem {
  /** Set where the files are not those of this machine. `command`: the words before a program that runs beside them; null for none. */
  readonly elsewhere?: { readonly command: readonly [string, ...string[]] | null }
  /** Opens a regular file for reading, never waiting on pipes or devices. The caller closes it. */
  open(path: string, led?: string): Promise<OpenFile | FileTrouble>
  /** Replaces or creates a whole file, with its directories: a reader sees the old content or the new one. */
  replace(path: string, change: FileChange): Promise<FileReplaced | FileTrouble>
  /** Lists one directory, unsorted. */
  list(path: string, led?: string): Promise<FileListing | FileTrouble>
}

export interface OpenFile {
  /** Where the open file really lies: absolute, without links. */
  readonly real: string
  readonly size: number
  /** Fills `buffer` from the current position; 0 at the end. */
  read(buffer: Uint8Array): Promise<number>
  /** Reads bytes from the beginning, all by default; the position does not move. */
  bytes(most?: number): Promise<Uint8Array>
  close(): Promise<void>
}

export interface FileChange {
  readonly content: string | Uint8Array
  /** The hash of the content that is to be replaced, null when there must be no file yet. */
  readonly before: string | null
  readonly led?: string | undefined
}

export interface FileReplaced {
  readonly real: string
  /** The hash of the new content. */
  readonly hash: string
}

export interface FileListing {
  readonly entries: readonly ListedEntry[]
}

export interface ListedEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  /** Where a link points, as written in it. */
  readonly target?: string
}

export interface FileTrouble {
  readonly trouble: string
  readonly why: 'absent' | 'moved' | 'changed' | 'other'
}

/** Finds the last writer of a file among the members of a run. */
export interface FileWriters {
  /** The member whose change gave the file this content, or undefined when it was nobody known. */
  writerOf(real: string, hash: string): string | undefined
}
