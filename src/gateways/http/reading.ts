import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { leaderName } from '../../protocol/words/ids.ts'
import { applyTranscript, emptyTranscript } from '../../projections/screen/transcript.ts'
import { mailItems } from '../../runtime/mail/inspect-mail.ts'
import { pendingApprovals, runDirectoriesIn, type PendingApproval } from '../../runtime/runs/answer-approval.ts'
import { diffRuns, NotComparable } from '../../runtime/reports/diff-runs.ts'
import { machineCharts } from '../../runtime/replay/charts.ts'
import { replayRun } from '../../runtime/replay/replay-run.ts'
import { readCast } from '../../runtime/runs/read-cast.ts'
import { readCost } from '../../runtime/runs/read-cost.ts'
import { recordOfRun, summariseRuns, type RunSummary } from '../../runtime/runs/read-runs.ts'
import { activityOf } from '../../runtime/runs/run-activity.ts'
import { readTasks, readTodos } from '../../runtime/tasks/read-tasks.ts'
import { Refusal } from './refusal.ts'
import { directoryOf, ofMember, type Asked, type Route } from './route.ts'

const mostFacts = 1_000

const page = z.strictObject({
  member: z.string().optional(),
  from: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().positive().max(mostFacts).default(mostFacts),
})

/** Routes that look, and change nothing. */
export const readingRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/runs',
    scope: 'read',
    summary: 'The runs here, the newest first, as `troupe ps --all --json` lists them.',
    answer: ({ place }) => ({ runs: summariseRuns(place.cwd) }),
  },
  {
    method: 'get',
    path: '/api/charts',
    scope: 'read',
    summary: 'The charts of the machines of a member, of its agent and of its calls, and of the team.',
    answer: () => ({ charts: machineCharts() }),
  },
  {
    method: 'get',
    path: '/api/approvals',
    scope: 'read',
    summary: 'The questions that wait for a person, in all runs, the oldest first.',
    answer: ({ place }) => ({ approvals: pendingApprovals(runDirectoriesIn(place.cwd)).map(shown) }),
  },
  of('/api/runs/{run}', 'One run: its members, its cost so far, for whom its members wait.', (asked) => {
    const run = summaryOf(asked)
    return { ...run, ...activityOf(run) }
  }),
  of('/api/runs/{run}/cast', 'The team of a run: its lead, its members with their models, its budget.', (asked) => {
    const cast = readCast(directoryOf(asked))
    if (cast === null) throw new Refusal(404, 'no_team', 'the file of the run cannot be read')
    return cast
  }),
  of('/api/runs/{run}/members', 'The members of a run, with their states and unread mail.', (asked) => ({
    members: summaryOf(asked).members,
  })),
  of('/api/runs/{run}/approvals', 'The questions of a run that wait for a person.', (asked) => ({
    approvals: pendingApprovals([directoryOf(asked)]).map(shown),
  })),
  of('/api/runs/{run}/cost', 'What a run has used, by member, by model and by kind of token.', (asked) => ({
    ...readCost(directoryOf(asked)),
  })),
  of(
    '/api/runs/{run}/diff/{other}',
    'How another run differs: path, tools, files, cost and answer, task by task.',
    compared,
  ),
  of('/api/runs/{run}/tasks', 'The task board of a run, and the todo lists of its members.', (asked) => ({
    tasks: readTasks(directoryOf(asked)),
    todos: readTodos(directoryOf(asked)),
  })),
  {
    ...of('/api/runs/{run}/mail', 'The mailboxes of a run, or of one member.', (asked) => ({
      mail: mailItems(directoryOf(asked), memberIn(asked)),
    })),
    query: ofMember,
  },
  {
    ...of(
      '/api/runs/{run}/machines',
      'The steps of the machines of a member, or of the `team` itself, derived by a replay of its journal.',
      async (asked) => {
        const { member } = asked.query['member'] === leaderName ? { member: leaderName } : memberIn(asked)
        return { lives: (await replayRun(directoryOf(asked), { member })).lives }
      },
    ),
    query: ofMember,
  },
  {
    ...of('/api/runs/{run}/transcript', 'What was said and done, as lines for people.', (asked) => {
      const transcript = emptyTranscript()
      for (const recorded of recordedIn(asked)) applyTranscript(transcript, recorded)
      return { lines: transcript.lines }
    }),
    query: ofMember,
  },
  {
    ...of('/api/runs/{run}/facts', 'The entries of all journals in one order, a page of them.', (asked) => {
      const { from, limit } = page.parse(asked.query)
      const all = recordedIn(asked)
      return { total: all.length, facts: all.slice(from, from + limit) }
    }),
    query: page,
  },
  {
    ...of('/api/runs/{run}/artifacts/{sha256}', 'A long result, by the name that a fact gives it.', artifact),
    media: 'application/octet-stream',
  },
]

/** A route that looks at one run. */
function of(path: string, summary: string, answer: (asked: Asked) => unknown): Route {
  return { method: 'get', path, scope: 'read', summary, answer }
}

function compared(asked: Asked): unknown {
  const other = directoryOf({ ...asked, params: { run: asked.params['other'] ?? '' } })
  try {
    return diffRuns(directoryOf(asked), other)
  } catch (error) {
    if (error instanceof NotComparable) throw new Refusal(409, 'not_comparable', error.message)
    throw error
  }
}

function summaryOf(asked: Asked): RunSummary {
  const dir = directoryOf(asked)
  const found = summariseRuns(asked.place.cwd).find((run) => run.dir === dir)
  if (found === undefined) throw new Refusal(404, 'no_run', `there is no run ${basename(dir)}`)
  return found
}

/** The member that is asked for, one that the run has: a name is a part of a path. */
function memberIn(asked: Asked): z.infer<typeof ofMember> {
  const { member } = asked.query
  if (typeof member !== 'string') return {}
  if (!summaryOf(asked).members.some(({ name }) => name === member))
    throw new Refusal(404, 'no_member', `the run has no member ${JSON.stringify(member)}`)
  return { member }
}

function recordedIn(asked: Asked) {
  const { member } = asked.query
  const { recorded } = recordOfRun(directoryOf(asked))
  const found = recorded.filter(({ owner }) => member === undefined || owner === member)
  if (found.length === 0) memberIn(asked)
  return found
}

function shown({ dir, live, request }: PendingApproval) {
  return { run: basename(dir), live, ...request }
}

/** Follows no link and opens no other name: what a member put there is never trusted. */
function artifact(asked: Asked): Response {
  const name = asked.params['sha256'] ?? ''
  const missing = new Refusal(404, 'no_artifact', `the run has no artifact ${JSON.stringify(name)}`)
  if (!/^[0-9a-f]{64}$/.test(name)) throw missing
  const file = join(directoryOf(asked), 'artifacts', name)
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    throw missing
  }
  try {
    if (!fstatSync(fd).isFile()) throw missing
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
    }
    return new Response(readFileSync(fd), { headers })
  } finally {
    closeSync(fd)
  }
}
