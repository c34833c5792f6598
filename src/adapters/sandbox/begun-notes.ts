import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxNote, type SandboxNote } from '../../protocol/permissions/sandbox-note.ts'
import type { FileWriters } from '../../protocol/tools/filesystem.ts'
import { judgeLife, type LifeVerdict } from '../../rules/team/life-verdict.ts'
import { namesIn } from '../fs/names-in.ts'
import { parseJson } from '../fs/parse-json.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import { replaceFile } from '../fs/replace-file.ts'
import { endCalled } from '../process/end-process.ts'
import { isAlive, ownProcess } from '../process/liveness.ts'
import { changedAt, type Begun } from './beginning.ts'
import { putLeftoversAside } from './leftovers.ts'
import { treeIndex, type Look } from './tree-index.ts'

/*
 * Notes of sandboxed commands that go on: what was there when each began, for whoever comes after a member that was killed.
 * Owns: the files of `~/.troupe/sandboxed`, one for each command that goes on. Never: touches that of a process that lives here.
 * 1. A note stands before its command begins and goes after the look behind the command. 2. Whoever finds the note of a dead
 *    process makes it its own, so that of two that find it one X

/** A note that stands. */
export interface StandingNote {
  /** The word by which processes of the command are known. */
  readonly path: string
  remove(): void
}

function folderIn(home: string): string {
  return join(home, '.troupe', 'sandboxed')
}

/**
 * Notes that a command begins.
 *
 * @throws The error of the file system: the command must not begin then.
 * @example noteBegun('/home/ann', beginning(look, ['/repo'], [])).remove()
 */
export function noteBegun(home: string, { before, acts, watched }: Begun): StandingNote {
  const { repositories, worktrees, gitFiles, files, shut } = before
  const there = [...acts].filter(([, changed]) => changed !== 0)
  const known = { repositories, worktrees, gitFiles, files, shut, acts: there }
  return stand(home, { owner: ownProcess(), watched, temporary: tmpdir(), ...known })
}

function stand(home: string, note: Readonly<SandboxNote>): StandingNote {
  const folder = folderIn(home)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A process number is not unique where containers share the folder: the file system gives a name that nobody else has.
  const place = mkdtempSync(join(folder, 'call-'))
  const path = `${place}.json`
  replaceFile(path, JSON.stringify(note), 0o600)
  rmdirSync(place)
  return { path, remove: () => rmSync(path, { force: true }) }
}

/** The circumstances under which notes are looked through. */
interface Clearing {
  /** Files that these wrote stay. */
  readonly writers?: FileWriters | undefined
  /** Milliseconds since the epoch. Without them no note is too old. */
  readonly now?: number | undefined
}

/**
 * Ends the commands of processes that are gone, and puts aside what those commands left. A note of another container or host
 * ends after a week: its directories may be others here, so a person is told to look at them.
 *
 * @returns what to tell about it, with a line end behind each sentence; nothing where there is nothing
 * @example await clearInterrupted('/home/ann', { now: clock.now() })
 */
export async function clearInterrupted(home: string, { writers, now = 0 }: Clearing = {}): Promise<string> {
  const said: string[] = []
  for (const name of namesIn(folderIn(home))) {
    const path = join(folderIn(home), name)
    const { note, life } = readNote(path)
    const begun = changedAt(path)
    if (life === 'watch' && now - begun > longestWatch) {
      rmSync(path, { force: true })
      said.push(unknownEnd(note))
    }
    if (life !== 'dead') continue
    const own = stand(home, { ...note, owner: ownProcess() })
    const isMine = await unlink(path).then(
      () => true,
      () => false,
    )
    if (isMine) said.push(await clear(note, { path, begun, writers }))
    own.remove()
  }
  return said.join('')
}

const longestWatch = 7 * 24 * 3_600_000

function unknownEnd({ watched }: SandboxNote): string {
  if (watched.length === 0) return ''
  return `A sandboxed command of another container or machine never told of its end: look at ${watched.join(', ')} for what it left.\n`
}

type ReadNote =
  | { readonly note: SandboxNote; readonly life: LifeVerdict }
  | { readonly note: null; readonly life: null }

/** Null for what is no note. */
function readNote(path: string): ReadNote {
  const read = path.endsWith('.json') ? readPlainFile(path) : null
  const { data } = sandboxNote.safeParse(read && 'text' in read ? parseJson(read.text) : undefined)
  return data === undefined
    ? { note: null, life: null }
    : { note: data, life: judgeLife(data.owner, ownProcess(), isAlive) }
}

/** A note of a dead process, with the time when it was written. */
interface Found {
  readonly path: string
  readonly begun: number
  readonly writers: FileWriters | undefined
}

const grace = 1_000
/** The clock of the file system goes by ticks. */
const tickMs = 50

async function clear(note: SandboxNote, { path, begun, writers }: Found): Promise<string> {
  const { watched, temporary, acts, ...known } = note
  await endCalled(path, grace)
  const after = await treeIndex().lookBehind(watched, note.shut)
  const links = new Map([...after.links].filter(([link]) => changedAt(link) < begun - tickMs))
  const before: Look = { ...known, links, seen: [] }
  return putLeftoversAside({ before, after, acts: new Map(acts), watched, temporary, writers })
}
