import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

const team = {
  name: 'duo',
  model: 'scripted/script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Read', 'Skill'], skills: ['style'] } },
}
const script = { agents: { lead: { steps: [{ say: 'Done.' }] } } }

function desk() {
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
    const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy') })
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
  expect((await troupe('prompt', 'duo', 'anna')).err).toContain('did you mean "ana"?')
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
