import { dirname } from 'node:path'

/** How a file changed. */
export type FileEvent = 'add' | 'change' | 'unlink'

const events: readonly FileEvent[] = ['add', 'change', 'unlink']

/**
 * Hears when single files come, change or go; they need not be there yet, only the folders that hold them.
 *
 * @param files absolute paths
 * @returns hears nothing more
 * @example const close = watchFiles(['/shop/.env'], (path, event) => console.log(event, path))
 */
export function watchFiles(
  files: readonly string[],
  changed: (path: string, event: FileEvent) => void,
): () => Promise<void> {
  const wanted = new Set([...files, ...files.map((file) => dirname(file))])
  let isClosed = false
  const started = import('chokidar').then(async ({ watch }) => {
    const watcher = watch([...new Set(files.map((file) => dirname(file)))], {
      ignored: (path) => !wanted.has(path),
      ignoreInitial: true,
      depth: 0,
    })
    for (const event of events)
      watcher.on(event, (path) => {
        if (!isClosed && files.includes(path)) changed(path, event)
      })
    // Without notifications nobody is told; nothing else follows from a change.
    watcher.on('error', () => undefined)
    return watcher
  })
  return async () => {
    isClosed = true
    await (await started).close()
  }
}
