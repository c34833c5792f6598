import { readdirSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mountPoint } from '../../../src/adapters/fs/mount-point.ts'
import { probeDisk } from '../../../src/adapters/fs/probe-disk.ts'
import { fill, smallDisk } from '../../support/small-disk.ts'

test('a disk says whether it takes anything, and nothing of the question stays', (context) => {
  const disk = smallDisk(context)
  expect(probeDisk(disk)).toBeNull()
  fill(join(disk, 'filler'))
  expect(probeDisk(disk)).toMatchObject({ code: 'ENOSPC' })
  expect(readdirSync(disk)).toEqual(['filler'])
})

test('a disk is named by the folder it is mounted at', (context) => {
  const disk = smallDisk(context)
  const deep = join(disk, 'a', 'b')
  mkdirSync(deep, { recursive: true })
  expect([join(deep, 'absent', 'too'), deep, disk, '/'].map(mountPoint)).toEqual([disk, disk, disk, '/'])
})
