import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const text = readFileSync('.github/workflows/ci.yml', 'utf8')
const { jobs } = z
  .object({
    jobs: z.object({
      test: z.object({
        strategy: z.object({ matrix: z.record(z.string(), z.array(z.union([z.string(), z.number()]))) }),
        steps: z.array(z.object({ run: z.string().optional() })),
      }),
    }),
  })
  .parse(parse(text))
const { strategy, steps } = jobs.test

test('the workflow tests every line of Node that the package accepts, and no other', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  const accepted = engines.node.split('||').map((range) => Number(/\d+/.exec(range)?.[0]))
  expect(strategy.matrix['node']).toEqual(accepted)
})

test('the workflow runs what the README gives for the tests', () => {
  const commands = steps.map(({ run }) => run).filter((run) => run?.startsWith('npm '))
  expect(commands.pop()).toBe('npm run test:long')
  expect(readFileSync('README.md', 'utf8')).toContain(`\n${commands.join(' && ')}\n`)
})

test('the workflow asks its matrix for nothing that is not in it', () => {
  const asked = [...text.matchAll(/matrix\.(\w+)/g)].map((match) => match[1] ?? '')
  expect(new Set(asked)).toEqual(new Set(Object.keys(strategy.matrix)))
})
