import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { createAgent, defineTool, z, type Agent, type AgentOptions, type Entry } from '../../../src/index.ts'

/** What the tools of an agent do, and what else it is made with. */
export interface Cast extends Partial<AgentOptions> {
  readonly run: (name: string) => Promise<string>
}

/** An agent whose model looks, changes and says what it saw, with its journal in `dir`. */
export function agentIn(dir: string, { run, ...more }: Cast): Agent {
  const tool = (name: string, readOnly: boolean) =>
    defineTool({
      name,
      description: `${name}s.`,
      input: z.strictObject({}),
      effect: readOnly ? 'read' : 'execute',
      isReadOnly: () => readOnly,
      run: async () => ({ content: [{ type: 'text', text: await run(name) }] }),
    })
  const calls = [
    { tool: 'Look', input: {}, as: 'l' },
    { tool: 'Change', input: {}, as: 'c' },
  ]
  const steps = [{ calls }, { say: '{{l.text}} | {{c.text}}' }, { say: 'And more.' }]
  writeFileSync(join(dir, 'answers.yaml'), stringify({ agents: { agent: { steps } } }))
  return createAgent({
    model: 'scripted/answers.yaml',
    cwd: dir,
    home: dir,
    env: {},
    runDir: dir,
    tools: [tool('Look', true), tool('Change', false)],
    permissions: { allow: ['Look', 'Change'] },
    ...more,
  })
}

export function journalIn(dir: string): readonly Entry[] {
  return readJournal(join(dir, 'agent.jsonl')).entries
}

/** Ends the journal as a kill would: right behind the first line that fits. */
export function cutBehind(dir: string, fits: (entry: Entry) => boolean): void {
  const file = join(dir, 'agent.jsonl')
  const last = journalIn(dir).findIndex(fits)
  if (last < 0) throw new Error('no entry fits')
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, `${lines.slice(0, last + 1).join('\n')}\n`)
}
