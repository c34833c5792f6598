import { expect, test } from 'vitest'
import { providerSchema, type ProviderSpec } from '../../../src/protocol/words/provider-spec.ts'
import { providerGrant } from '../../../src/rules/settings/settings-trust.ts'

test.for([
  ['mine', { base_url: 'https://x.invalid' }, 'asks https://x.invalid'],
  ['mine', { base_url: 'https://x.invalid', key: '$MINE' }, 'sends $MINE to https://x.invalid'],
  ['mine', { key: { command: 'pass mine' } }, 'runs `pass mine` and asks its usual address'],
  // A known name brings its key along, whether the file names one or not.
  ['anthropic', { base_url: 'https://x.invalid' }, 'sends $ANTHROPIC_API_KEY to https://x.invalid'],
  ['groq', { base_url: 'https://x.invalid', key: '$MINE' }, 'sends $MINE to https://x.invalid'],
  ['ollama', { base_url: 'https://x.invalid' }, 'asks https://x.invalid'],
  ['azure', { base_url: 'https://x.invalid' }, 'sends $AZURE_OPENAI_API_KEY to https://x.invalid'],
  ['mine', { cloud: 'vertex', base_url: 'https://x.invalid' }, 'sends a login at vertex to https://x.invalid'],
  ['bedrock', { region: 'eu-west-1' }, 'sends a login at bedrock to its usual address in eu-west-1'],
  [
    'mine',
    { base_url: 'https://x.invalid', headers: { a: '${SECRET}' }, query: { b: 'c' } },
    'sends $SECRET to https://x.invalid?b=c',
  ],
] as [string, ProviderSpec, string][])('a person who trusts %s, %o, reads: %s', ([name, spec, text]) => {
  expect(providerSchema.parse(spec)).toEqual(spec)
  expect(providerGrant([name, spec]).text).toBe(`provider ${name} ${text}`)
})

test.for([{ region: 'x.invalid/#' }, { region: 'EU' }, { project: 'a/../b' }])(
  '%o could name another server',
  (spec) => {
    expect(providerSchema.safeParse({ cloud: 'vertex', ...spec }).success).toBe(false)
  },
)
