import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lastLinesIn } from '../../adapters/executors/last-lines.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { livingLeader } from '../runs/leader.ts'
import { ownProgram } from '../runs/own-program.ts'
import { openAgain } from './continue-team.ts'

/** Between two looks whether somebody leads. */
const lookMs = 100

interface Place {
  /** Where the team works. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * Says something to the lead of a run that nobody leads, as the person at this process, and has a process of its own lead the run on, which outlives this one.
 * Its questions wait eight hours for an answer from anywhere.
 * @param text null where the lead has the words already, and the run is open
 * @returns as soon as it leads: null, or what hindered it, in its own words
 * @throws NotResumable when the run takes no words
 * @example await continueDetached(dir, 'Now the tests, please.', { cwd, env: process.env, home })
 */
export async function continueDetached(
  dir: string,
  text: string | null,
  { cwd, env, home }: Place,
): Promise<string | null> {
  if (text !== null) await openAgain(dir, { text, env, home })
  const log = join(dir, 'log', `${leaderName}.log`)
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const fd = openSync(log, 'a+', 0o600)
  const { size } = fstatSync(fd)
  const child = spawn(process.execPath, [ownProgram, 'resume', dir, '--wait-permissions', '8h', '--cwd', cwd], {
    cwd,
    env: { ...env, HOME: home },
    detached: true,
    stdio: ['ignore', fd, fd],
  })
  const began = new AbortController()
  const ended = once(child, 'exit', { signal: began.signal }).then(
    () => true,
    () => false,
  )
  try {
    while (livingLeader(dir) === null) {
      const isOver = await Promise.race([ended, pause(lookMs, false)])
      if (isOver) return child.exitCode === 0 ? null : lastLinesIn(fd, size).trim()
    }
    return null
  } finally {
    began.abort()
    closeSync(fd)
    child.unref()
  }
}
