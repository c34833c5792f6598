import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { receiver, text } from './member.ts'

/*
 * The reference: the same folders, and nothing that could be left out. Neither journal of the sender nor signature, no
 * numbers, no archive; `synced` adds what a power cut asks for.
 */

function folderOf(home: string) {
  const folder = (name: string) => join(home, 'mail', receiver, name)
  for (const name of ['tmp', 'new', 'cur']) mkdirSync(folder(name), { recursive: true })
  return folder
}

function sync(path: string, act: (fd: number) => void): void {
  const fd = openSync(path, 'r')
  act(fd)
  closeSync(fd)
}

/** Written, linked, unlinked; returns the file's name. */
export function bareSender(home: string, name: string, synced = false): (body: string, n: number) => string {
  const folder = folderOf(home)
  return (body, n) => {
    const file = `${name}-${String(n).padStart(9, '0')}.json`
    const draft = join(folder('tmp'), file)
    writeFileSync(draft, JSON.stringify({ v: 1, name, n, body, filler: text }))
    if (synced) sync(draft, fdatasyncSync)
    linkSync(draft, join(folder('new'), file))
    unlinkSync(draft)
    if (synced) sync(folder('new'), fsyncSync)
    return file
  }
}

/** What a folder holds, taken in: claimed, read, parsed, appended to a file, unlinked. */
export function bareBox(home: string, synced = false) {
  const folder = folderOf(home)
  const journal = join(home, 'bare.jsonl')
  const take = (file: string): string => {
    const claimed = join(folder('cur'), file)
    renameSync(join(folder('new'), file), claimed)
    const { body } = JSON.parse(readFileSync(claimed, 'utf8')) as { body: string }
    appendFileSync(journal, `${body}\n`)
    if (synced) sync(journal, fdatasyncSync)
    unlinkSync(claimed)
    return body
  }
  return {
    inbox: folder('new'),
    drain(took: (body: string) => void, limit = Infinity): void {
      for (const file of readdirSync(folder('new')).toSorted().slice(0, limit)) took(take(file))
    },
  }
}
