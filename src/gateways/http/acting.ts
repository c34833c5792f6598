import { basename } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../../runtime/actors/clock.ts'
import { sendMail } from '../../runtime/mail/send-mail.ts'
import { continueDetached } from '../../runtime/run/continue-detached.ts'
import { sendToLead } from '../../runtime/run/continue-team.ts'
import { detachTeam } from '../../runtime/run/detach-team.ts'
import { forkRun } from '../../runtime/run/fork-run.ts'
import { answerApproval } from '../../runtime/runs/answer-approval.ts'
import { stopMember } from '../../runtime/upkeep/stop-member.ts'
import { stopRun } from '../../runtime/upkeep/stop-run.ts'
import { Refusal } from './refusal.ts'
import { directoryOf, withBody, type Route } from './route.ts'

const text = z.string().min(1)

/** A name, never a path: a path would read whatever file it is given. */
const teamName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)?$/, 'the name of a team, as `troupe run` takes it')

const dayMs = 24 * 3_600_000

/** The narrow modes: a wider one is opened at a terminal. */
const modes = ['default', 'plan', 'dontAsk'] as const

/** Routes that start, steer or end a run, and those for the answers of persons. */
export const actingRoutes: readonly Route[] = [
  withBody(
    act('/api/runs', 'Starts a team, whose leader is a process of its own; its questions wait a day for an answer.'),
    z.strictObject({
      team: teamName,
      task: text,
      mode: z.enum(modes).optional(),
      budget_usd: z.number().positive().optional(),
    }),
    async ({ team, task, mode, budget_usd }, { place }) => {
      const { cwd, home, env, policyRoot } = place
      const { id, dir, pid } = await detachTeam(await place.load(team), {
        task,
        cwd,
        home,
        env,
        policyRoot,
        permissionWaitMs: dayMs,
        ...(mode === undefined ? {} : { mode }),
        ...(budget_usd === undefined ? {} : { budgetUsd: budget_usd }),
      })
      return { run: id, run_dir: dir, pid }
    },
  ),
  withBody(
    act('/api/runs/{run}/mail', 'Writes to a member, as a person.'),
    z.strictObject({ to: text, text, key: z.string().optional(), urgent: z.boolean().default(false) }),
    async ({ urgent, ...mail }, asked) => {
      const priority = urgent ? 'interrupt' : 'normal'
      const sent = await sendMail(directoryOf(asked), { ...mail, priority, home: asked.place.home })
      if (!sent.ok) throw new Refusal(409, 'not_sent', sent.error)
      return { mail: sent.envelope.id }
    },
  ),
  withBody(
    act('/api/runs/{run}/stop', 'Stops a run for good, or one worker of it.'),
    z.strictObject({ member: text.optional(), reason: text.default('troupe serve'), now: z.boolean().default(false) }),
    async ({ member, reason, now }, asked) => {
      const { cwd, home, env } = asked.place
      const run = directoryOf(asked)
      if (member === undefined) return { run: basename(run), outcome: await stopRun({ run, cwd, env, reason }) }
      return stopMember({ run, member, cwd, home, reason, ...(now ? { graceMs: 0 } : {}) })
    },
  ),
  withBody(
    act('/api/runs/{run}/continue', 'Says something to the lead of a run that nobody leads, and leads it on.'),
    z.strictObject({ text }),
    async (body, asked) => {
      const { cwd, home, env } = asked.place
      const dir = directoryOf(asked)
      const trouble = await continueDetached(dir, body.text, { cwd, home, env })
      if (trouble !== null) throw new Refusal(409, 'not_led', trouble)
      return { run: basename(dir), run_dir: dir }
    },
  ),
  withBody(
    act('/api/runs/{run}/fork', 'Makes a new run that remembers this one up to an entry; with a text it is led on.'),
    z.strictObject({ at: text, text: text.optional() }),
    async ({ at, text: words }, asked) => {
      const { cwd, home, env } = asked.place
      const dir = forkRun(directoryOf(asked), { at, home, clock: systemClock() })
      if (words !== undefined) {
        await sendToLead(dir, { text: words }, home)
        const trouble = await continueDetached(dir, null, { cwd, home, env })
        if (trouble !== null) throw new Refusal(409, 'not_led', trouble)
      }
      return { run: basename(dir), run_dir: dir }
    },
  ),
  withBody(
    {
      method: 'post',
      path: '/api/runs/{run}/approvals/{id}',
      scope: 'approve',
      summary: 'Answers a question, as a person. The first answer counts; a later one hears which that was.',
    },
    z.strictObject({
      behavior: z.enum(['allow', 'deny']),
      scope: z.enum(['once', 'session', 'stop']).optional(),
      advice: z.string().optional().describe('Told with a denial; the answer to a question of a member.'),
      updated_input: z.unknown().optional().describe('The input of the call as it shall run.'),
    }),
    ({ behavior, scope, advice, updated_input }, asked) => {
      const outcome = answerApproval(directoryOf(asked), asked.params['id'] ?? '', {
        behavior,
        by: asked.isPage ? 'troupe dashboard' : 'troupe serve',
        home: asked.place.home,
        ...(scope === undefined ? {} : { scope }),
        ...(advice === undefined ? {} : { advice }),
        ...(updated_input === undefined ? {} : { updated_input }),
      })
      if (outcome === null) throw new Refusal(404, 'no_question', 'the run has no such question')
      return outcome
    },
  ),
]

function act(path: string, summary: string): Pick<Route, 'method' | 'path' | 'scope' | 'summary'> {
  return { method: 'post', path, scope: 'act', summary }
}
