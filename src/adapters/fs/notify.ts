import { statfsSync } from 'node:fs'
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

/**
 * Listens to some folders with one chokidar watcher, which is loaded here when the first folder is watched. A
 * notification is a hint and may be lost: the listener looks at the folder itself, and now and then without a hint.
 * 1. Each folder is told once as changed when the watcher is ready: the look then finds what came before.
 * 2. The watcher passes the system's word on (`raw`) and ignores the files: following each would cost more than a look.
 * @param folders absolute paths of folders that exist
 */
export function notify(folders: readonly string[], { changed, failed }: FolderListener): Notifications {
  const ready = Promise.withResolvers<void>()
  const watched = new Set(folders)
  let closed = false
  const started = import('chokidar').then(({ watch }) => {
    if (closed) return null
    const watcher = watch([...watched], { depth: 0, ignored: (path) => !watched.has(path) })
    watcher.on('raw', (_event, file, details) => {
      const { watchedPath = '' } = details as { readonly watchedPath?: string }
      if (!closed) changed(watchedPath, file)
    })
    watcher.on('error', (error) => {
      if (!closed) failed(errorText(error))
    })
    watcher.on('ready', () => {
      for (const folder of watched) if (!closed) changed(folder, null)
      ready.resolve()
    })
    return watcher
  })
  started.catch((error: unknown) => failed(errorText(error)))
  return {
    ready: ready.promise,
    async close() {
      closed = true
      await (await started.catch(() => null))?.close()
      ready.resolve()
    },
  }
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
 * Says why the system's notifications cannot be trusted in a folder: a kernel reports only writes that go through itself.
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
