import { didYouMean } from '../../../rules/tools/did-you-mean.ts'
import { startJob, type Job, type JobStart } from './job.ts'

const memoryKey = 'shell.jobs'
const maxRunning = 16
const keptEnded = 32

type Memory = Map<string, unknown>

/** Starts one more job of a member, or says why not. */
export function addJob(memory: Memory, start: Omit<JobStart, 'id'>): Job | { readonly trouble: string } {
  const jobs = jobsOf(memory)
  const running = [...jobs.values()].filter((job) => job.ended() === null)
  if (running.length >= maxRunning) {
    return {
      trouble: `${maxRunning} commands already run in the background: ${list(running)}. Stop one with KillBash.`,
    }
  }
  const ended = [...jobs.values()].filter((job) => job.ended() !== null)
  for (const job of ended.slice(0, Math.max(0, ended.length - keptEnded))) {
    job.forget()
    jobs.delete(job.id)
  }
  const count = ((memory.get(`${memoryKey}.count`) as number | undefined) ?? 0) + 1
  memory.set(`${memoryKey}.count`, count)
  const job = startJob({ ...start, id: `bash_${count}` })
  jobs.set(job.id, job)
  return job
}

/** A job by its id, or what to say when there is none. */
export function jobById(memory: Memory, id: string): Job | { readonly trouble: string } {
  const jobs = jobsOf(memory)
  const job = jobs.get(id)
  if (job) return job
  if (jobs.size === 0) return { trouble: `There is no background command ${id}: none was started.` }
  const near = didYouMean(id, [...jobs.keys()])
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return { trouble: `There is no background command ${id}.${hint} There are: ${list([...jobs.values()])}.` }
}

/** Commands that run in the background now, in the words of hooks. */
export function runningJobs(
  memory: Memory,
): readonly { id: string; type: 'shell'; status: 'running'; description: string; command: string }[] {
  const running = [...jobsOf(memory).values()].filter((job) => job.ended() === null)
  return running.map(({ id, command }) => {
    const line = command.length <= 1_000 ? command : `${command.slice(0, 1_000)}… [+${command.length - 1_000} chars]`
    return { id, type: 'shell', status: 'running', description: line, command: line }
  })
}

/** Stops everything a member left running, to be called when its life ends; null when nothing runs. */
export function endJobs(memory: Memory): Promise<unknown> | null {
  const jobs = [...jobsOf(memory).values()]
  const running = jobs.filter((job) => job.ended() === null)
  for (const job of jobs) if (job.ended() !== null) job.forget()
  return running.length === 0 ? null : Promise.all(running.map(stopForGood))
}

async function stopForGood(job: Job): Promise<void> {
  await job.stop()
  job.forget()
}

function list(jobs: readonly Job[]): string {
  return jobs.map(({ id, command }) => `${id} (${command.split('\n', 1)[0]?.slice(0, 60) ?? ''})`).join(', ')
}

function jobsOf(memory: Memory): Map<string, Job> {
  const kept = memory.get(memoryKey)
  if (kept instanceof Map) return kept as Map<string, Job>
  const fresh = new Map<string, Job>()
  memory.set(memoryKey, fresh)
  return fresh
}
