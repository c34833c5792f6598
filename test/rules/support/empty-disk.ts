import type { Disk } from '../../../src/rules/disk/disk.ts'

/** A disk on which nothing lies and no path is a link. */
export const emptyDisk: Disk = Object.assign((path: string) => path, { entries: () => [] })
