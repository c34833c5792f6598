import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { currentSpec, type EntryFold } from '../../protocol/facts/entry.ts'
import { memberName } from '../../protocol/words/ids.ts'
import type { Attachment } from '../../protocol/conversation/message.ts'
import type { Launch, MemberFile, RunFile } from '../../protocol/team/run.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { ignoreText } from '../../protocol/memory/memory.ts'
import { errorCode } from '../fs/error-code.ts'
import { syncFile, syncFolder } from '../fs/sync.ts'
import { ownProcess } from '../process/liveness.ts'
import { openJournal, type OpenedJournal } from './journal.ts'
import { forgetRunKeys, makeRunKey, syncRunKey } from './run-key.ts'
import { writeJson } from './write-json.ts'

/**
 * Owns the shape of `.troupe/runs/<team>-<ulid>/` (docs/on-disk.md). Never reads it back.
 * 1. `run.json` comes last: a directory without it was never a run. 2. Every file is replaced as a whole or only
 * appended to, so a kill at any moment leaves something readable. 3. Files are 0600, folders 0700.
 */
export interface RunDirectory {
  /** `<team>-<ulid>`. */
  readonly id: string
  readonly dir: string
  /** Where the mailboxes are. */
  readonly mail: string
  /** The folder of leases: which process is which agent. */
  readonly lease: string
  /** Texts too long for where they belong. */
  readonly artifacts: string
  /** The path of the first segment of a journal: `team` for the leader's own, else a member's name. */
  journalFile(owner: string): string
  /** Opens a journal; a new one starts with its header. */
  openJournal<State>(owner: string, now: () => number, fold: EntryFold<State>): OpenedJournal<State>
  /** Replaces `members/<name>.json`; only the member's own process does. */
  writeMember(member: MemberFile): void
  /** Has another team run from now on. */
  writeTeam(team: ResolvedTeam): void
  /** Freezes another task, before anybody has worked on it. */
  writeTask(task: string): void
}

/** The file of a team that is not the one the run began with. */
export const laterTeam = 'team.json'

/** The file of what came with the task. */
export const taskAttachments = 'attachments.json'

export interface NewRun {
  /** `<cwd>/.troupe/runs`. */
  readonly root: string
  readonly team: ResolvedTeam
  readonly task: string
  readonly cwd: string
  /** The user's directory, where the run's key is kept. */
  readonly home: string
  readonly git_head: string | null
  /** A fresh ULID: newer runs sort later. */
  readonly ulid: string
  /** Milliseconds since the epoch. */
  readonly created: number
  readonly launch?: Launch
  /** Images and documents that come with the task; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[]
}

/**
 * Makes the directory of a new run and freezes what runs into it. Throws what the disk says,
 * `EEXIST` when the run exists.
 * @example
 * const run = createRun({ root, home, team, task, cwd, git_head: null, ulid: mint(), created: now() })
 * const { journal } = run.openJournal('team', now, fold)
 */
export function createRun(fresh: NewRun): RunDirectory {
  const { root, team, ulid, home } = fresh
  const id = `${team.name}-${ulid}`
  const dir = join(root, id)
  makeRoot(root)
  mkdirSync(dir, { mode: 0o700 })
  try {
    for (const name of ['members', 'journal', 'mail']) mkdirSync(join(dir, name), { mode: 0o700 })
    forgetRunKeys(home, fresh.created)
    makeRunKey(home, dir)
    if (fresh.attachments?.length) writeJson(join(dir, taskAttachments), fresh.attachments)
    writeJson(join(dir, 'run.json'), runFile(id, fresh))
    if (isDurable(team)) syncRun(fresh, dir)
  } catch (error) {
    // Half a run would be listed as the latest one.
    rmSync(dir, { recursive: true, force: true })
    throw error
  }
  return runDirectory(dir, team)
}

/** Where nothing can be written, `mkdir` says of the folder above that it does not exist. */
function makeRoot(root: string): void {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    keepOutOfGit(root)
  } catch (cause) {
    const code = errorCode(cause)
    const text = `no run can be kept in ${root} (${code}): make the directory writable, or name another one with --cwd`
    throw Object.assign(new Error(text, { cause }), { code, syscall: 'mkdir' })
  }
}

/**
 * The same directory for a process that did not make it.
 * @param given `…/.troupe/runs/<team>-<ulid>`; what is said of it to others leads there from anywhere
 */
export function runDirectory(given: string, team: Pick<ResolvedTeam, 'name' | 'coordinator' | 'mail'>): RunDirectory {
  const dir = resolve(given)
  const id = basename(dir)
  const journalFile = (owner: string) => join(dir, 'journal', `${owner}.jsonl`)
  return {
    id,
    dir,
    mail: join(dir, 'mail'),
    lease: join(dir, 'lease'),
    artifacts: join(dir, 'artifacts'),
    journalFile,
    openJournal(owner, now, fold) {
      const header = { run: id, team: team.name, leader: team.coordinator }
      const opened = openJournal(journalFile(owner), { owner, now, header, fold })
      if (isDurable(team)) opened.journal.sync()
      return opened
    },
    writeMember: (member) => writeJson(join(dir, 'members', `${memberName(member.id)}.json`), member),
    writeTeam: (later) => writeJson(join(dir, laterTeam), later),
    writeTask(task) {
      const file = join(dir, 'run.json')
      writeJson(file, { ...(JSON.parse(readFileSync(file, 'utf8')) as RunFile), task })
    },
  }
}

/** Whether what is confirmed has to survive a power cut: then the run itself has to survive one first. */
function isDurable({ mail }: Pick<ResolvedTeam, 'mail'>): boolean {
  return mail?.durability === 'power'
}

function syncRun({ root, home }: NewRun, dir: string): void {
  syncFile(join(dir, 'run.json'))
  for (const folder of [dir, root, dirname(root), dirname(dirname(root))]) syncFolder(folder)
  syncRunKey(home, basename(dir))
}

function runFile(run: string, { team, task, cwd, git_head, created, launch = {} }: NewRun): RunFile {
  return { spec: currentSpec, run, team, task, cwd, git_head, created, leader: ownProcess(), launch }
}

/** Only inside a `.troupe` folder of ours: anywhere else the line would hide the files of others. */
function keepOutOfGit(root: string): void {
  const home = dirname(root)
  if (basename(home) !== '.troupe') return
  try {
    writeFileSync(join(home, '.gitignore'), ignoreText, { flag: 'wx' })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
