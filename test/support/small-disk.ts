import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/** A disk of its own, gone when the test is over. Where this user may not mount one the test is skipped aloud. */
export function smallDisk(context: TestContext, megabytes = 1): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (status !== 0) {
    console.warn('skipped: this user may not mount a small disk')
    context.skip()
  }
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  return folder
}

/** Fills a disk with one file, to the last byte it takes. */
export function fill(file: string): void {
  for (const size of [200_000, 4_000, 1]) {
    try {
      for (;;) writeFileSync(file, 'x'.repeat(size), { flag: 'a' })
    } catch {
      // Full, to the last piece of this size.
    }
  }
}
