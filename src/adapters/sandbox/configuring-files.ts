import { configuresTools } from '../../rules/paths/configuring-files.ts'
import { looking } from '../../rules/permissions/disk.ts'
import { resolveReal } from '../fs/resolve-real.ts'

/** Directories without end that hold no repository of anybody's work. */
const passedOver = /\/(node_modules|\.venv|vendor|target|dist)\//

/**
 * The files and folders below some directories that configure tools, repositories in repositories among them. In directories
 * with too many files only those at the top are found.
 *
 * @example configuringFiles(['/repo']) // ['/repo/.git', '/repo/.envrc']
 */
export function configuringFiles(directories: readonly string[]): readonly string[] {
  const disk = looking(resolveReal)
  return directories.flatMap((directory) => {
    const top = disk.entries?.(directory)?.map(({ name }) => `${directory}/${name}`) ?? []
    const all = disk.below(directory) ?? top
    return all.filter((path) => {
      const inside = path.slice(directory.length + 1)
      const above = inside.slice(0, inside.lastIndexOf('/') + 1)
      return (
        !passedOver.test(`/${inside}`) &&
        configuresTools(inside) &&
        !(above !== '' && configuresTools(above.slice(0, -1)))
      )
    })
  })
}
