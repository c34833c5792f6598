import { expect, test } from 'vitest'
import { applyPanes, emptyPanes } from '../../src/projections/screen/panes.ts'
import { plainProgress } from '../../src/ui/cli/progress/lines.ts'
import { transcriber } from '../../src/ui/cli/text/transcript-text.ts'
import { blockLines } from '../../src/ui/tui/pane/pane-lines.ts'
import { fakeHost } from './cli/fake-host.ts'
import { play } from '../runtime/support/stage.ts'

const paint = (_: unknown, text: string): string => text

test('a command that fails is red in every face, and one that answers no is neutral', async () => {
  const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] })
  const { recorded, result } = await play(
    {
      name: 'duo',
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Bash'] } },
    },
    {
      lead: {
        steps: [
          { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Work.' }] } }] },
          { expect: 'Evidence: Bash 3 (1 failed: exit 3; 1 with exit 1).', say: 'Seen.' },
        ],
      },
      ana: {
        steps: [bash('seq 1 20; echo broken; (exit 3)'), bash('grep x /dev/null'), bash('echo fine'), { say: 'done' }],
      },
    },
    { mode: 'bypassPermissions', allowBypass: true },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'Seen.' })
  const own = recorded.filter(({ owner }) => owner === 'ana')

  const host = fakeHost()
  const progress = plainProgress(host)
  for (const fact of own) progress.hear(fact)
  expect(host.stderr.text.split('\n').filter((line) => line.includes('exit '))).toEqual([
    'ana: Bash(seq 1 20; echo broken; (exit 3))',
    'ana: exit 3: Bash(seq 1 20; echo broken; (exit 3))',
    'ana: exit 1: Bash(grep x /dev/null)',
  ])

  const logs = transcriber({ paint, several: true, full: false })(own).replaceAll(/(?<=ana)-\d+/g, '')
  expect(logs).toContain(
    'ana ✗ exit 3: Bash(seq 1 20; echo broken; (exit 3))\n    … 14 line(s) before this, see --full\n',
  )
  expect(logs).toContain('    broken\n    [exit 3]\n')
  expect(logs).toContain('ana ← exit 1: Bash(grep x /dev/null)\n')
  expect(logs).toContain('ana ← Bash(echo fine)\n')

  const panes = emptyPanes({ lead: 'lead', members: [{ name: 'ana', model: 'm' }] })
  for (const fact of own) applyPanes(panes, fact)
  const style = { width: 60, unfolded: false, paint }
  const calls = panes.panes.get('ana')?.blocks.filter(({ kind }) => kind === 'call') ?? []
  // A command that took more than a second says so, and how long it takes here is the machine's affair.
  const linesOf = (block: (typeof calls)[number]): readonly string[] =>
    blockLines(new WeakMap(), block, style).map((line) => line.replace(/ [\d.]+s$/, ''))
  expect(calls.map(linesOf)).toEqual([
    ['✗ Bash(seq 1 20; echo broken; (exit 3)) exit 3', '  broken'],
    ['– Bash(grep x /dev/null) exit 1'],
    ['✓ Bash(echo fine)'],
  ])
})
