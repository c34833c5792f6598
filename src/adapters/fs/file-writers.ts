import type { FileWriters } from '../../protocol/filesystem.ts'

/**
 * Keeps who of a run wrote a file last. Every member gets its own face of it.
 *
 * @example
 * const as = fileWriters()
 * as('writer').wrote('/project/a.txt', hash)
 * as('reviewer').writerOf('/project/a.txt', hash) // 'writer'
 */
export function fileWriters(): (member: string) => FileWriters {
  const last = new Map<string, { readonly member: string; readonly hash: string }>()
  return (member) => ({
    wrote: (real, hash) => void last.set(real, { member, hash }),
    writerOf(real, hash) {
      const write = last.get(real)
      return write?.hash === hash ? write.member : undefined
    },
  })
}
