import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { z } from 'zod'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { TeamFile } from '../../../src/protocol/team/team-card.ts'
import { checkTeamFile, diagnosticLine, loadTeam, TeamFileError } from '../../../src/runtime/team-files/load-team.ts'
import { tempDir } from '../support/stage.ts'

const small: TeamFile = {
  name: 'small',
  model: 'scripted/a.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Reads.', prompt: 'You read.', tools: ['Read', 'Grep'] } },
}

const ana = { description: 'Reads.', prompt: 'You read.' }

/** The mistakes as lines; an object as any program may give it. */
async function mistakes(given: unknown, options: Parameters<typeof loadTeam>[1] = {}): Promise<readonly string[]> {
  const error: unknown = await loadTeam(given as TeamFile, { cwd: tempDir(), ...options }).catch((e: unknown) => e)
  if (!(error instanceof TeamFileError)) throw new Error('the team was loaded')
  expect(error.message.split('\n')).toEqual(error.diagnostics.map(diagnosticLine))
  return error.message.split('\n')
}

const lookUp = defineTool({
  name: 'LookUp',
  description: 'Looks a word up.',
  input: z.object({ word: z.string() }),
  effect: 'none',
  run: () => Promise.resolve({ content: [] }),
})

describe('a team from an object', () => {
  test('is the team that a file of the same words gives', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'team.yaml'), stringify(small))
    const same = await loadTeam('team.yaml', { cwd })
    expect(await loadTeam(small, { cwd })).toEqual({ ...same, file: join(cwd, '(object)') })
  })

  test('takes cards and scripts from the directory that it is given', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'card.md'), '---\ndescription: Reads.\ntools: Raed\n---\nYou read.\n')
    const given: TeamFile = { ...small, workers: { ana: { from: 'card.md' } } }
    expect(await mistakes(given, { cwd })).toEqual([
      'workers.ana.from error unknown_tool there is no tool "Raed" (did you mean Read?)',
    ])
    const { diagnostics } = await checkTeamFile(small, { cwd })
    expect(diagnostics).toMatchObject([
      { code: 'bad_script', path: 'model', hint: `it is looked for at ${join(cwd, 'a.yaml')}` },
    ])
  })

  test('says where a mistake is by its key path, as many as there are', async () => {
    const given = {
      ...small,
      partitoin: 'relaxed',
      budget: { turns: 'ten' },
      workers: { ana: { ...ana, tools: ['Read', 'Grpe'] }, bo: { promt: 'You write.', description: 'Writes.' } },
    }
    expect(await mistakes(given)).toEqual([
      'budget.turns error wrong_type budget.turns must be a number, not text',
      'workers.bo.promt error unknown_key unknown key "promt" in workers.bo (did you mean "prompt"?)',
      'partitoin error unknown_key unknown key "partitoin" (did you mean "partition"?)',
      'workers.ana.tools[1] error unknown_tool there is no tool "Grpe" (did you mean Grep?)',
    ])
  })

  test.for([
    ['a tool in the place of its name', { ana: { ...ana, tools: [lookUp] } }, 'workers.ana.tools[0] error wrong_type'],
    ['a function', { ana: { ...ana, prompt: () => 'Read.' } }, 'workers.ana.prompt error wrong_type'],
    ['no workers', {}, 'workers error invalid_value workers must name at least one worker'],
    ['workers left out', undefined, 'workers error missing_key workers is required'],
  ] as const)('%s is a mistake like any other', async ([, workers, said]) => {
    expect((await mistakes({ ...small, workers }))[0]).toContain(said)
  })

  test.for([null, [], 7])('%s is no team', async (given) => {
    expect(await mistakes(given)).toEqual([expect.stringContaining('must be a map')])
  })

  test('mistakes in a card that it names have the place in that file', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 'card.yaml'), 'description: Reads.\npromt: You read.\n')
    expect(await mistakes({ ...small, workers: { ana: { from: 'card.yaml' } } }, { cwd })).toEqual([
      expect.stringContaining('card.yaml:2:1 error unknown_key'),
    ])
  })
})

describe('names that a program adds', () => {
  const model = { name: 'acme/large', stream: async function* () {} }
  const added = {
    tools: [lookUp],
    providers: { acme: () => model },
    executors: { box: { launch: () => Promise.reject(new Error('full')) } },
  }
  const using = (worker: object): object => ({ ...small, workers: { ana: { ...ana, ...worker } } })

  test('are as good as those that are there', async () => {
    const team = await loadTeam(using({ model: 'acme/large', tools: ['LookUp'] }) as TeamFile, added)
    expect(team.members[1]).toMatchObject({ model: 'acme/large', tools: ['LookUp'] })
    expect((await loadTeam(using({ executor: 'box' }) as TeamFile, added)).members[1]?.executor).toBe('box')
  })

  test.for([
    [
      { model: 'acne/large' },
      'workers.ana.model error unknown_provider there is no model provider "acne" (did you mean acme?)',
    ],
    [
      { executor: 'boxx' },
      'workers.ana.executor error unknown_executor there is no executor "boxx" (did you mean box?)',
    ],
    [{ tools: ['LokUp'] }, 'workers.ana.tools[0] error unknown_tool there is no tool "LokUp" (did you mean LookUp?)'],
    [{ executor: 'box', tools: ['LookUp'] }, 'workers.ana.executor error not_there'],
  ] as const)('are what is meant by %j', async ([worker, said]) => {
    expect(await mistakes(using(worker), added)).toEqual([expect.stringContaining(said)])
  })

  test('are listed where nothing near was meant', async () => {
    const [said] = await mistakes(using({ model: 'zzzzzzzz/x' }), added)
    expect(said).toMatch(/\(there are scripted, .*, acme; those of a project/)
  })

  test('cannot be those of what is built in', async () => {
    const read = { ...lookUp, name: 'Read' }
    const taken = { tools: [read], providers: { anthropic: () => model }, executors: { tmux: added.executors.box } }
    expect(await mistakes(small, taken)).toEqual([
      'executors.tmux error name_taken "tmux" is built in (give it another name)',
      'providers.anthropic error name_taken "anthropic" is built in (give it another name)',
      'tools.Read error name_taken "Read" is built in (give it another name)',
    ])
  })
})
