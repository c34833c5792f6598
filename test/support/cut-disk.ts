import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/** A disk whose power can be cut. */
export interface CutDisk {
  /** Where the disk is mounted. */
  readonly path: string
  /** Reads what would be on the disk if the power went now; the disk itself goes on. */
  afterCut<Result>(read: (path: string) => Result): Result
}

/** An ext4 disk in an image of its own. Where this user may not mount one the test is skipped aloud. */
export function cutDisk(context: TestContext): CutDisk {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-power-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const image = join(folder, 'image')
  writeFileSync(image, '')
  truncateSync(image, 24 << 20)
  const made = spawnSync('mkfs.ext4', ['-q', image]).status === 0
  const path = join(folder, 'disk')
  if (!made || !mount(image, path)) {
    console.warn('skipped: this user may not mount a disk image')
    context.skip()
  }
  onTestFinished(() => unmount(path))
  return {
    path,
    afterCut(read) {
      const copy = join(folder, 'copy')
      copyFileSync(image, copy)
      const cut = join(folder, 'cut')
      if (!mount(copy, cut)) throw new Error('the copied image cannot be mounted')
      try {
        return read(cut)
      } finally {
        unmount(cut)
      }
    },
  }
}

function mount(image: string, path: string): boolean {
  mkdirSync(path, { recursive: true })
  return spawnSync('mount', ['-o', 'loop', image, path]).status === 0
}

function unmount(path: string): void {
  spawnSync('umount', ['-l', path])
}
