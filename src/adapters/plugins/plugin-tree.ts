import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { PluginRefused } from '../../protocol/plugins/plugin.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { errorCode } from '../fs/error-code.ts'
import { startHash } from '../fs/content-hash.ts'

/*
 * The files of a plugin: a list, a hash over all of them, a copy. Plugins are written by strangers.
 * 1. No link leads out of the plugin, none is followed. 2. Nothing but directories, plain files and links.
 * 3. A size and a number beyond which nothing is copied. 4. `.git` is no part of a plugin.
 */

/** One file of a plugin; `path` is relative to its root. */
export interface PluginFile {
  readonly path: string
  readonly kind: 'file' | 'link'
  readonly isExecutable: boolean
}

/** Files of one plugin, their bytes together, and the depth of its folders. */
export const pluginLimits = { files: 10_000, bytes: 100 * 1024 * 1024, depth: 24 } as const

/**
 * Lists the files of a plugin in one order, wherever the plugin lies.
 * @throws PluginRefused for a plugin that holds what none may
 * @example pluginFiles('/home/ann/fmt').map(({ path }) => path) // ['.claude-plugin/plugin.json', 'commands/fmt.md']
 */
export function pluginFiles(root: string): readonly PluginFile[] {
  const found: PluginFile[] = []
  const [real, sizes] = [realpathSync.native(root), { bytes: 0 }]
  const walk = (within: string, depth: number): void => {
    if (depth > pluginLimits.depth) throw new PluginRefused(`${within} lies deeper than ${pluginLimits.depth} folders`)
    for (const name of readdirSync(join(real, within)).toSorted()) {
      if (name === '.git') continue
      const path = within === '' ? name : `${within}/${name}`
      const state = lstatSync(join(real, path))
      if (state.isDirectory()) walk(path, depth + 1)
      else found.push(fileOf(real, path, state))
      sizes.bytes += state.isFile() ? state.size : 0
      refuseHuge(found.length, sizes.bytes)
    }
  }
  walk('', 1)
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** @throws PluginRefused where a plugin has more files, or is larger, than any is taken */
export function refuseHuge(files: number, bytes: number): void {
  if (files > pluginLimits.files) throw new PluginRefused(`it holds more than ${pluginLimits.files} files`)
  if (bytes > pluginLimits.bytes) throw new PluginRefused(`it is larger than ${pluginLimits.bytes / 1024 / 1024} MiB`)
}

function fileOf(root: string, path: string, state: ReturnType<typeof lstatSync>): PluginFile {
  if (state?.isFile()) return { path, kind: 'file', isExecutable: (Number(state.mode) & 0o100) !== 0 }
  if (!state?.isSymbolicLink()) throw new PluginRefused(`${path} is neither a file nor a directory`)
  const target = readlinkSync(join(root, path))
  if (isAbsolute(target) || !isInside(root, join(root, dirname(path), target)) || !isInside(root, ending(root, path)))
    throw new PluginRefused(`${path} is a link that leads out of the plugin (${target})`)
  return { path, kind: 'link', isExecutable: false }
}

function ending(root: string, path: string): string {
  try {
    return realpathSync.native(join(root, path))
  } catch (error) {
    throw new PluginRefused(`${path} is a link that leads nowhere (${errorCode(error) ?? 'unknown'})`)
  }
}

/**
 * The SHA-256 over the names, contents, rights and links of a plugin's files.
 * @throws PluginRefused as `pluginFiles` does
 */
export function pluginHash(root: string): string {
  const hash = startHash()
  for (const { path, kind, isExecutable } of pluginFiles(root)) {
    const content = kind === 'link' ? startHash().update(readlinkSync(join(root, path))) : contentOf(join(root, path))
    hash.update(`${JSON.stringify([path, kind, isExecutable, content.digest('hex')])}\n`)
  }
  return hash.digest('hex')
}

const chunkBytes = 1 << 18

function contentOf(file: string): ReturnType<typeof startHash> {
  const hash = startHash()
  const chunk = Buffer.allocUnsafe(chunkBytes)
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    for (let got = readSync(handle, chunk); got > 0; got = readSync(handle, chunk)) hash.update(chunk.subarray(0, got))
  } finally {
    closeSync(handle)
  }
  return hash
}

/**
 * Copies the files of a plugin; of their rights only that to be run is kept.
 * @param to a directory that is not there yet
 * @throws PluginRefused as `pluginFiles` does, and what the disk says
 */
export function copyPlugin(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const { path, kind, isExecutable } of pluginFiles(from)) {
    const target = join(to, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    if (kind === 'link') symlinkSync(readlinkSync(join(from, path)), target)
    else {
      copyFileSync(join(from, path), target, constants.COPYFILE_EXCL)
      chmodSync(target, isExecutable ? 0o700 : 0o600)
    }
  }
}
