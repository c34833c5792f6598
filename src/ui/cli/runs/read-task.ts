import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ResolvedTeam } from '../../../protocol/team/team-card.ts'
import { print, type Host } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'

/** Where a task may come from. */
export interface TaskSource {
  /** As typed; `-` stands for stdin. */
  readonly task: string | undefined
  readonly taskFile: string | undefined
}

const scriptedTask = 'Survey this repository.'

/**
 * The task of a run. A team whose models are all scripted has one of its own.
 *
 * @throws UserError when there is none, when there are two, or when it is empty or in no file
 */
export async function readTask({ task, taskFile }: TaskSource, team: ResolvedTeam, host: Host): Promise<string> {
  if (task !== undefined && taskFile !== undefined) {
    throw new UserError('give the task either as an argument or with --task-file, not both')
  }
  if (task === undefined && taskFile === undefined) return defaultTask(team, host)
  const place = taskFile ?? (task === '-' ? 'stdin' : 'the argument')
  const text = await textOf({ task, taskFile }, host)
  if (text.trim() === '') throw new UserError(`the task from ${place} is empty; say what the team shall do`)
  return text
}

async function textOf({ task, taskFile }: TaskSource, host: Host): Promise<string> {
  if (taskFile !== undefined) return taskIn(resolve(host.cwd, taskFile), taskFile)
  return typedOrStdin(task ?? '', host)
}

function taskIn(path: string, given: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) return readFileSync(path, 'utf8')
  throw new UserError(`there is no file "${given}" to read the task from; - reads it from stdin`)
}

async function defaultTask(team: ResolvedTeam, host: Host): Promise<string> {
  if (team.members.every(({ model }) => model.startsWith('scripted/'))) {
    await print(host.stderr, `no task was given: a scripted team takes "${scriptedTask}"\n`)
    return scriptedTask
  }
  throw new UserError(`the team ${team.name} needs a task, e.g. troupe run ${team.name} "Review the last commit."`)
}

/**
 * A text as it was typed; `-` stands for all of stdin, for what is too long for an argument.
 * @example await typedOrStdin('-', host) // what was piped in
 */
export async function typedOrStdin(typed: string, { stdin }: Pick<Host, 'stdin'>): Promise<string> {
  if (typed !== '-') return typed
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer | string))
  return Buffer.concat(chunks).toString('utf8')
}
