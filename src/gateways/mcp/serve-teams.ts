import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { runTeam } from '../../runtime/run/run-team.ts'
import { answerApproval, pendingApprovals, runDirectoriesIn } from '../../runtime/runs/answer-approval.ts'
import { readCost } from '../../runtime/runs/read-cost.ts'
import { findRun, recordOfRun, summariseRuns } from '../../runtime/runs/read-runs.ts'
import { sendMail } from '../../runtime/mail/send-mail.ts'
import { personBehind } from './person-behind.ts'

/** The surroundings of a server of teams. */
export interface ServeOptions {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly policyRoot: string
  readonly version: string
  /** Offers the tool that answers questions of members. */
  readonly allowAnswers: boolean
  /** Loads a team by what a caller calls it. */
  load(team: string): Promise<ResolvedTeam>
}

const run = z.string().describe('The id of a run, or the name of a team for its latest one.')

/**
 * Offers teams as tools on standard input and output, until the client leaves. A caller is usually a model: what needs a
 * person's permission is asked of the person behind the client.
 */
export async function serveTeams(options: ServeOptions): Promise<void> {
  const server = new McpServer({ name: 'troupe', version: options.version })
  offerRuns(server, options)
  offerReading(server, options)
  if (options.allowAnswers) offerAnswers(server, options)
  const ended = Promise.withResolvers<void>()
  const transport = new StdioServerTransport()
  await server.connect(transport)
  Object.assign(server.server, { onclose: ended.resolve })
  process.stdin.once('end', ended.resolve)
  await ended.promise
  await server.close()
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

function offerRuns(server: McpServer, options: ServeOptions): void {
  server.registerTool(
    'run_team',
    {
      description: 'Runs a team on a task and returns its answer. It may take minutes; a cancelled call ends the run.',
      inputSchema: {
        team: z.string().describe('A team file, or the name of a team in teams/.'),
        task: z.string().describe('What the team shall do.'),
        wait: z.boolean().optional().describe('false returns the id of the run at once (default: true).'),
      },
    },
    async (asked, extra) => answered(() => ran(asked, extra, { server, options })),
  )
  server.registerTool(
    'send',
    {
      description: 'Sends a message to a member of a running team.',
      inputSchema: { to: z.string().describe('name@team'), text: z.string(), run: run.optional() },
    },
    async ({ to, text, run: named }) =>
      answered(async () => {
        const { cwd, home } = options
        const sent = await sendMail(runIn(cwd, named ?? to.split('@')[1]), { to, text, home })
        if (!sent.ok) throw new Error(sent.error)
        return { sent: sent.envelope.id }
      }),
  )
}

interface Offering {
  readonly server: McpServer
  readonly options: ServeOptions
}

interface RunAsked {
  readonly team: string
  readonly task: string
  readonly wait?: boolean | undefined
}

async function ran(
  { team, task, wait = true }: RunAsked,
  { signal, sendNotification, _meta }: Extra,
  { server, options }: Offering,
): Promise<Record<string, unknown>> {
  const { cwd, home, env, policyRoot, load } = options
  const approver = personBehind(server)
  const asked = { task, cwd, home, env, policyRoot, ...(approver === null ? {} : { approver }) }
  const running = runTeam(await load(team), asked)
  running.result.catch(() => undefined)
  if (!wait) {
    // A run that cannot begin is an error of this call.
    const begun = new Promise((resolve) => void running.subscribe(resolve))
    await Promise.race([begun, running.result])
    return { run: running.id }
  }
  signal.addEventListener('abort', () => running.abort(), { once: true })
  const token = _meta?.progressToken
  let progress = 0
  running.subscribe(({ owner, entry }) => {
    if (token === undefined) return
    progress += 1
    const params = { progressToken: token, progress, message: `${owner}: ${entry.type}` }
    void sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
  })
  const { run: id, status, result, cost_usd, duration_ms } = await running.result
  return { run: id, status, result, cost_usd, duration_ms }
}

function offerReading(server: McpServer, { cwd }: ServeOptions): void {
  const reads = { readOnlyHint: true } as const
  server.registerTool(
    'status',
    { description: 'Lists the runs here, the newest first.', annotations: reads },
    async () =>
      answered(async () => ({
        runs: summariseRuns(cwd).map(({ id, team, state, task, members }) => ({ id, team, state, task, members })),
      })),
  )
  server.registerTool(
    'pending',
    { description: 'Lists questions that wait for a person.', annotations: reads },
    async () =>
      answered(async () => ({
        pending: pendingApprovals(runDirectoriesIn(cwd)).map(({ live, request }) => ({ live, ...request })),
      })),
  )
  server.registerTool(
    'result',
    { description: 'The answer of a run that has ended.', inputSchema: { run }, annotations: reads },
    async ({ run: named }) =>
      answered(async () => {
        const { id, recorded } = recordOfRun(runIn(cwd, named))
        const end = recorded.findLast(({ entry }) => entry.type === 'team.ended')?.entry
        return end?.type === 'team.ended'
          ? { run: id, status: end.status, reason: end.reason, result: end.result }
          : { run: id, status: 'running', result: null }
      }),
  )
  server.registerTool(
    'cost',
    { description: 'What a run has cost so far.', inputSchema: { run }, annotations: reads },
    async ({ run: named }) => answered(async () => ({ ...readCost(runIn(cwd, named)) })),
  )
}

function offerAnswers(server: McpServer, { cwd, home }: ServeOptions): void {
  server.registerTool(
    'answer',
    {
      description: 'Answers a question of a member in the place of a person. Ask your user first.',
      inputSchema: { id: z.string(), behavior: z.enum(['allow', 'deny']), advice: z.string().optional() },
      annotations: { destructiveHint: true },
    },
    async ({ id, behavior, advice }) =>
      answered(async () => {
        const found = pendingApprovals(runDirectoriesIn(cwd)).find(({ request }) => request.id === id)
        if (!found) throw new Error(`no question ${id} waits for an answer`)
        const by = 'an MCP client, by --allow-answers'
        return { ...answerApproval(found.dir, id, { behavior, by, home, ...(advice === undefined ? {} : { advice }) }) }
      }),
  )
}

function runIn(cwd: string, named: string | undefined): string {
  const dir = findRun(cwd, named)
  if (dir === null) throw new Error(`there is no run ${named ?? ''} in ${cwd}`)
  return dir
}

/** A result as text and as data; what goes wrong is a result as well. */
async function answered(act: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const data = await act()
    return { content: [{ type: 'text', text: JSON.stringify(data, null, 2) }] }
  } catch (error) {
    return { content: [{ type: 'text', text: errorText(error) }], isError: true }
  }
}
