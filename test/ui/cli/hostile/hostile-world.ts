import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { approvalFiles } from '../../../../src/adapters/approvals/approval-files.ts'
import type { ApprovalFile } from '../../../../src/protocol/permissions/approval-file.ts'
import type { AgentId } from '../../../../src/protocol/words/ids.ts'
import { sendMail } from '../../../../src/runtime/mail/send-mail.ts'
import { play } from '../../../runtime/support/stage.ts'
import { everyOrder, orderLine } from './terminal-orders.ts'

const odd = fileURLToPath(new URL('../../../support/mcp/odd-server-process.ts', import.meta.url))
const call = (tool: string, input: object) => ({ tool, input })

/** A name that a file can have. */
const fileName = orderLine.replaceAll(/[\0/]/g, '').slice(0, 60)

const team = {
  name: 'evil',
  description: everyOrder,
  tasks: {},
  permissions: { mode: 'bypassPermissions' },
  coordinator: { prompt: everyOrder },
  workers: { ana: { description: everyOrder, prompt: everyOrder } },
}

const script = {
  lead: {
    steps: [
      {
        think: everyOrder,
        say: everyOrder,
        calls: [call('TaskCreate', { subject: orderLine, description: everyOrder })],
      },
      { calls: [call('Delegate', { subtasks: [{ worker: 'ana', task: everyOrder }] })] },
      { say: everyOrder },
    ],
  },
  ana: {
    steps: [
      { say: everyOrder, calls: [call('Write', { file_path: fileName, content: everyOrder })] },
      {
        calls: [
          call('Read', { file_path: fileName }),
          call('Bash', { command: `cat < *begin*; exit 3 # ${orderLine}` }),
        ],
      },
      {
        calls: [
          call(orderLine, { [orderLine]: everyOrder }),
          call('TodoWrite', { todos: [{ content: orderLine, status: 'in_progress' }] }),
        ],
      },
      { calls: [call('TaskClaim', { id: 1 }), call('TaskDone', { id: 1, outcome: 'failed', reason: everyOrder })] },
      { calls: [call('SendMessage', { to: 'lead', text: everyOrder })] },
      { fail: { code: 'refused', message: everyOrder } },
    ],
  },
}

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(everyOrder)}\n---\n${everyOrder}\n`
const hook = { PreToolUse: [{ matcher: orderLine, hooks: [{ type: 'command', command: `echo ${orderLine}` }] }] }

const files = {
  'teams/wrong.yaml': JSON.stringify({ ...team, [orderLine]: everyOrder, model: orderLine, budget_usd: everyOrder }),
  'teams/broken.yaml': `name: [\n${everyOrder}`,
  '.mcp.json': JSON.stringify({
    mcpServers: {
      words: { command: process.execPath, args: [odd, 'said-in-file'], env: { ODD_WORDS: 'words.txt' } },
      names: { command: process.execPath, args: [odd, 'odd-names'] },
      dies: {
        command: process.execPath,
        args: ['-e', 'console.error(require("fs").readFileSync("words.txt", "utf8")); process.exit(1)'],
      },
      [orderLine]: { command: orderLine, args: [everyOrder] },
    },
  }),
  'words.txt': everyOrder,
  '.troupe/settings.json': JSON.stringify({
    permissions: { allow: [`Bash(${orderLine})`, orderLine], deny: [`Read(${fileName})`] },
    hooks: hook,
    [orderLine]: everyOrder,
  }),
  '.claude/settings.json': `{${everyOrder}`,
  '.claude/skills/evil/SKILL.md': skill('evil'),
  '.claude/skills/broken/SKILL.md': everyOrder,
  '.claude/skills/named/SKILL.md': skill(JSON.stringify(orderLine)),
  '.claude/commands/go.md': `---\ndescription: ${JSON.stringify(everyOrder)}\nargument-hint: ${JSON.stringify(orderLine)}\n---\n${everyOrder}`,
  'plugin/.claude-plugin/plugin.json': JSON.stringify({
    name: 'fmt',
    version: orderLine,
    description: everyOrder,
    [orderLine]: 1,
  }),
  'plugin/commands/go.md': `---\nallowed-tools: ${JSON.stringify(`Bash(${orderLine})`)}\n---\n${everyOrder}`,
  'plugin/hooks/hooks.json': JSON.stringify({ hooks: hook }),
  'memories/evil.md': `---\nname: evil\ndescription: ${JSON.stringify(everyOrder)}\ntype: feedback\n---\n${everyOrder}\n`,
  'memories/broken.md': `---\n[${everyOrder}\n---\n`,
}

/** What a member asks, as the file of its question has it. */
export function question(id: string, tool: string, input: unknown, member: AgentId = 'ana@evil'): ApprovalFile {
  const decision = { behavior: 'ask', source: 'local', rule: `Bash(${orderLine})`, reason: everyOrder } as const
  return {
    v: 1,
    id,
    member,
    call_id: id,
    tool,
    input,
    task: everyOrder,
    decision,
    near: [{ behavior: 'allow', source: 'local', rule: orderLine, why: everyOrder }],
    behind: [{ from: 'lead', kind: 'text', text: everyOrder }],
    grants: { session: [`Bash(${orderLine})`], save: [`Bash(${orderLine})`] },
    asked_at: 1,
    deadline: null,
  }
}

/**
 * A workspace in which everything that can come from outside holds orders to the terminal: the texts of models, tools and
 * mail, tasks, questions, names of files and servers, settings, skills, plugins, memories.
 */
export async function hostileWorld() {
  const { cwd, run, result } = await play(team, script, { files, task: everyOrder })
  await result
  const { dir } = run
  // A run does not begin where the models cannot be read.
  mkdirSync(join(cwd, 'home/.troupe'), { recursive: true })
  writeFileSync(join(cwd, 'home/.troupe/models.json'), JSON.stringify({ [orderLine]: everyOrder }))
  const asked = approvalFiles(join(dir, 'permissions'), () => new Uint8Array(32))
  asked.ask(question('ana-9-1', 'Bash', { command: everyOrder, description: everyOrder }))
  asked.ask(question('ana-9-2', 'AskUser', { question: everyOrder, options: [orderLine, 'no'] }))
  asked.ask(question('ana-9-3', 'ExitPlanMode', { plan: everyOrder }))
  asked.ask(question('ana-9-4', orderLine, { [orderLine]: everyOrder }))
  asked.ask(question('ana-9-5', 'Write', { file_path: 'words.txt', content: everyOrder }))
  await sendMail(dir, { to: 'ana@evil', text: everyOrder, home: join(cwd, 'home') })
  const box = join(dir, 'mail', 'ana', 'new')
  mkdirSync(box, { recursive: true })
  writeFileSync(join(box, fileName), everyOrder)
  writeFileSync(join(box, '0000000000001-broken.json'), `{"body": ${JSON.stringify(everyOrder)}}`)
  return { cwd, home: join(cwd, 'home'), dir, run: dir.split('/').at(-1) ?? '', mail: readdirSync(box) }
}
