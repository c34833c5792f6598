import { statfsSync } from 'node:fs'
import type { FSWatcher } from 'chokidar'
import { errorText } from '../../protocol/words/error-text.ts'
import { errorCode } from './error-code.ts'

/** The listener to the system's notifications of folders. */
export interface FolderListener {
  /** Called when a folder changed, with the name of the file, or null when it may be any. */
  changed(folder: string, file: string | null): void
  /** Called when the system does not notify, or no longer. */
  failed(message: string): void
}

export interface Notifications {
  /** Resolves when the listener hears of every change from now on. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** Folders that one watcher takes up: the memory for taking up many at once would never be given back. */
const together = 50

/**
 * Listens to some folders with chokidar, which is loaded here when the first folder is watched. A notification is a hint
 * and may be lost: the listener looks at the folder itself, and now and then without a hint.
 * 1. Each folder is told once as changed when it is watched: the look then finds what came before.
 * 2. The watchers pass the system's word on (`raw`) and ignore the files: following each would cost more than a look.
 * @param folders absolute paths of folders that exist
 */
export function notify(folders: readonly string[], { changed, failed }: FolderListener): Notifications {
  const end = new AbortController()
  const { signal } = end
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const watchers: FSWatcher[] = []
  const listener: FolderListener = {
    changed(folder, file) {
      if (!signal.aborted) changed(folder, file)
    },
    failed(message) {
      if (!signal.aborted) failed(message)
    },
  }
  const begin = async (): Promise<void> => {
    const { watch } = await import('chokidar')
    for (let next = 0; next < folders.length && !signal.aborted; next += together) {
      const part = folders.slice(next, next + together)
      const watcher = watch(part, { depth: 0, ignored: (path) => !part.includes(path) })
      watchers.push(watcher)
      await Promise.race([listening(watcher, listener), ended])
      for (const folder of part) listener.changed(folder, null)
    }
  }
  return {
    ready: begin().catch((error: unknown) => listener.failed(errorText(error))),
    async close() {
      end.abort()
      await Promise.all(watchers.map((watcher) => watcher.close()))
    },
  }
}

/** Resolves when the watcher hears of every change from now on. */
function listening(watcher: FSWatcher, { changed, failed }: FolderListener): Promise<void> {
  watcher.on('raw', (_event, file, details) => {
    const { watchedPath = '' } = details as { readonly watchedPath?: string }
    changed(watchedPath, file)
  })
  watcher.on('error', (error) => failed(errorText(error)))
  return new Promise((resolve) => {
    watcher.on('ready', () => resolve())
  })
}

/** Filesystems whose other writers are on other machines or behind a bridge, by the magic numbers of statfs(2). */
const remote = new Map([
  [0x6969, 'NFS'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB'],
  [0x01_02_19_97, '9p'],
  [0x65_73_55_46, 'FUSE'],
  [0x00_c3_64_00, 'Ceph'],
  [0x0b_d0_0b_d0, 'Lustre'],
  [0x01_16_19_70, 'GFS2'],
  [0x5346_414f, 'AFS'],
])

/**
 * Says why the system's notifications cannot be trusted in a folder: a kernel reports only its own writes.
 * @returns null where they can be trusted
 * @example pollingReason('/mnt/team-share') // 'it lies on NFS, which does not report what other machines write'
 */
export function pollingReason(folder: string): string | null {
  try {
    const name = remote.get(statfsSync(folder).type >>> 0)
    return name === undefined ? null : `it lies on ${name}, which does not report what other machines write`
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return null
  }
}
