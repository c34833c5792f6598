import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { answerApproval, pendingApprovals, runDirectoriesIn } from '../src/runtime/runs/answer-approval.ts'
import { recordOfRun } from '../src/runtime/runs/read-runs.ts'

/*
 * How soon an answer from this process is a decision in the journal of a member that asked, in a run of its own process.
 * `node bench/answers.ts [in-process|process|tmux] [questions]` prints one JSON line.
 */
const [executor = 'process', count = '50'] = process.argv.slice(2)
const questions = Number(count)
const home = mkdtempSync(join(tmpdir(), 'troupe-answers-'))

/** A team whose worker asks before each of its commands. */
function layOut(): void {
  const ask = (n: number) => ({ say: `Number ${n}.`, calls: [{ tool: 'Bash', input: { command: `touch made-${n}` } }] })
  const subtasks = [{ worker: 'hand', task: 'Begin.' }]
  const lead = [{ say: 'Begin.', calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Done.' }]
  const hand = [...Array.from({ length: questions }, (_, n) => ask(n)), { say: 'Done.' }]
  const agents = { lead: { steps: lead }, hand: { steps: hand } }
  const worker = { description: 'Works.', prompt: 'You work.', tools: ['Bash'], executor, max_turns: questions + 2 }
  const team = {
    name: 'asking',
    model: 'scripted/script.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: { hand: worker },
  }
  mkdirSync(join(home, 'teams'))
  writeFileSync(join(home, 'teams/asking.yaml'), JSON.stringify(team))
  writeFileSync(join(home, 'teams/script.yaml'), JSON.stringify({ agents }))
}

try {
  layOut()
  const bin = resolve(import.meta.dirname, '../src/ui/cli/bin.ts')
  const run = spawn(process.execPath, [bin, 'run', 'asking', 'Begin.', '--wait-permissions', '1h'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: 'ignore',
  })
  const answered = new Map<string, number>()
  const looking = setInterval(() => {
    for (const { dir, request } of pendingApprovals(runDirectoriesIn(home))) {
      const at = Date.now()
      answerApproval(dir, request.id, { behavior: 'allow', by: 'the bench', at, home })
      answered.set(request.id, at)
    }
  }, 20)
  const [code] = (await once(run, 'exit')) as [number | null]
  clearInterval(looking)
  if (code !== 0) throw new Error(`the run ended with ${code}`)
  const [dir = ''] = runDirectoriesIn(home)
  const took = recordOfRun(dir)
    .recorded.flatMap(({ entry }) => {
      const begun = entry.type === 'permission.decided' ? answered.get(entry.request ?? '') : undefined
      return begun === undefined ? [] : [entry.at - begun]
    })
    .toSorted((a, b) => a - b)
  const at = (share: number): number | undefined => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  console.log(
    JSON.stringify({ executor, answers: took.length, p50_ms: at(0.5), p99_ms: at(0.99), worst_ms: took.at(-1) }),
  )
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
