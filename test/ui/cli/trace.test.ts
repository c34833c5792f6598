import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { collector } from '../../support/otlp-collector.ts'
import { play } from '../../runtime/support/stage.ts'
import { fakeHost } from './fake-host.ts'

const team = { name: 'solo', coordinator: { prompt: 'You lead.' }, workers: { ana: { description: 'd', prompt: 'p' } } }

test('trace shows a run of the past, writes it to a file and sends it to a collector; what cannot be is an error', async () => {
  const { cwd, run, result } = await play(team, { lead: { steps: [{ say: 'A secret.' }] } })
  await result
  const troupe = async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home: cwd })
    const code = await main(['trace', run.id, ...args], host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
  const shown = await troupe('--console')
  expect(shown.out).toMatch(
    /^invoke_workflow solo \S+.*\n {2}invoke_agent lead .*\n {4}turn 1 .*\n {6}chat script\.yaml .*\nsolo-\w+: 4 spans\n$/,
  )
  const file = join(cwd, 'trace.jsonl')
  expect(await troupe('--jsonl', 'trace.jsonl')).toMatchObject({ code: 0, out: `${run.id}: 4 spans to ${file}\n` })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: [{}, {}, {}, {}] }] }],
  })
  expect(readFileSync(file, 'utf8')).not.toContain('A secret.')
  await troupe('--jsonl', 'trace.jsonl', '--content')
  expect(readFileSync(file, 'utf8')).toContain('A secret.')
  const { url, spans, answers } = await collector()
  const sent = await troupe('--otlp', url, '--json')
  expect(JSON.parse(sent.out)).toMatchObject({ run: run.id, spans: 4, abandoned: 0, open: 0, to: `${url}/v1/traces` })
  expect(spans).toHaveLength(4)
  answers.push({ status: 400 })
  const failing = [
    [5, '400 Bad Request', ['--otlp', url]],
    [2, 'no http address', ['--otlp', 'collector:4318']],
    [2, '--otlp URL, --jsonl FILE or --console', []],
  ] as const
  for (const [code, text, args] of failing) {
    const failed = await troupe(...args)
    expect(failed.code).toBe(code)
    expect(failed.err).toContain(text)
  }
})
