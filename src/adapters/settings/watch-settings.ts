import { basename, dirname } from 'node:path'

export interface SettingsWatch {
  /** Resolves when every change from now on is noticed. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/**
 * Notices when settings files come, change or go, with one watcher on their directories, which need not be there yet. An
 * event is a hint and names nothing: whoever hears of it reads everything again. Loaded when it is first needed.
 *
 * @param files absolute paths; `folders` are directories in which every `.json` counts
 * @param onHint hears of a burst of events once
 * @example const watch = watchSettings({ files, folders: ['/etc/troupe/policy.d'] }, reload)
 */
export function watchSettings(
  { files, folders }: { readonly files: readonly string[]; readonly folders: readonly string[] },
  onHint: () => void,
): SettingsWatch {
  const wanted = new Set([...files, ...folders])
  const open = new Set([...files.map((file) => dirname(file)), ...folders])
  const isOther = (path: string): boolean => {
    if (wanted.has(path) || open.has(path)) return false
    return !(folders.includes(dirname(path)) && basename(path).endsWith('.json'))
  }
  const ready = Promise.withResolvers<void>()
  let closed = false
  let pending: NodeJS.Timeout | undefined
  const hint = (): void => {
    if (closed) return
    clearTimeout(pending)
    pending = setTimeout(onHint, settling).unref()
  }
  const started = import('chokidar').then(({ watch }) => {
    const watcher = watch([...open], { ignored: isOther, ignoreInitial: true })
    watcher.on('all', hint)
    // Without notifications the settings stay as they are; nothing is lost that was in force.
    watcher.on('error', () => undefined)
    watcher.on('ready', () => ready.resolve())
    return watcher
  })
  return {
    ready: ready.promise,
    async close() {
      closed = true
      clearTimeout(pending)
      await (await started).close()
      ready.resolve()
    },
  }
}

/** Editors write in several steps; what is read in between would be half a file. */
const settling = 30
