import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { main } from '../../../src/ui/cli/main.ts'
import { modelServer, sendJson } from '../../adapters/models/support/model-server.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

const team = {
  name: 'duo',
  model: 'scripted/script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Read', 'Skill'], skills: ['style'] } },
}
const script = { agents: { lead: { steps: [{ say: 'Done.' }] } } }

function desk(env: Readonly<Record<string, string>> = {}) {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  write('teams/duo.yaml', stringify(team))
  write('teams/script.yaml', stringify(script))
  write('AGENTS.md', 'Use tabs.')
  write('.agents/skills/style/SKILL.md', '---\nname: style\ndescription: Serves style.\n---\nWrite well.\n')
  const troupe = async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy'), env })
    const code = await main(args, host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
  return { write, troupe }
}

interface Shown {
  readonly sections: readonly {
    readonly name: string
    readonly zone: string
    readonly tokens: number
    readonly text: string
  }[]
}

test('a member sees its parts in order, each with its size and how long it is kept', async () => {
  const { troupe } = desk()
  const { code, out } = await troupe('prompt', 'duo', 'ana')
  expect(code).toBe(0)
  expect(out).toMatch(/^ana@duo, about \d+ tokens before the task/)
  expect(out).toMatch(/^instructions +volatile +\d+ +~\d+ +first message: files of the project/m)
  expect(out).not.toContain('Use tabs.')
  const { sections } = JSON.parse((await troupe('prompt', 'duo', 'ana', '--json')).out) as Shown
  expect(sections.map(({ name }) => name)).toEqual([
    'tools',
    'agent',
    'identity',
    'calibration',
    'mail',
    'directory',
    'date',
    'instructions',
    'given-skills',
    'skills',
  ])
  expect(sections[0]?.text).toBe('Read, Skill, SendMessage, Wait, Report')
  expect((await troupe('prompt', 'duo', 'ana', '--full')).out).toContain('Write well.')
  expect((await troupe('prompt', 'duo')).out).toMatch(/^lead@duo/)
  expect((await troupe('prompt', 'duo', 'anna')).err).toContain('did you mean ana?')
})

test('two runs are compared section by section', async () => {
  const { troupe, write } = desk()
  const run = async (): Promise<string> => {
    const { out } = await troupe('run', 'duo', 'Begin.', '--json')
    return (JSON.parse(out) as { run: string }).run
  }
  const one = await run()
  const two = await run()
  write('AGENTS.md', 'Use blanks.')
  const three = await run()
  expect((await troupe('prompt', '--diff', one, two)).out).toMatch(/^lead +same +0$/m)
  const { out } = await troupe('prompt', '--diff', one, three, '--json')
  expect(JSON.parse(out)).toMatchObject({ members: [{ member: 'lead', same: false, moved: ['instructions'] }] })
  expect((await troupe('prompt', '--diff', one)).code).toBe(2)
  expect((await troupe('prompt')).err).toContain('name a team')
})

test('with --count the sizes are those that the server of the model counts', async () => {
  const server = await modelServer(({ path, text }, response) =>
    sendJson(response, path === '/v1/messages/count_tokens' ? 200 : 404, { input_tokens: text.length }),
  )
  onTestFinished(server.close)
  const { troupe } = desk({
    TROUPE_MODEL: 'anthropic/claude-opus-5',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.root,
  })
  const { code, out } = await troupe('prompt', 'duo', 'ana', '--count')
  expect(code).toBe(0)
  expect(out).toMatch(/^ana@duo, \d+ tokens by the count of anthropic\/claude-opus-5 before the task/)
  expect(out).not.toContain('~')
  const { sections } = JSON.parse((await troupe('prompt', 'duo', 'ana', '--count', '--json')).out) as Shown
  const lengths = server.asked.map(({ text }) => text.length)
  expect(sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(Math.max(...lengths) - Math.min(...lengths))
  expect(sections.every(({ tokens }) => tokens > 0)).toBe(true)
})

test('a server that does not count is named, with what is left', async () => {
  const { troupe } = desk()
  const { code, err } = await troupe('prompt', 'duo', '--count')
  expect(code).not.toBe(0)
  expect(err).toContain('script.yaml does not count tokens; without --count the sizes are estimates')
})
