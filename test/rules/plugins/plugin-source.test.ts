import { expect, test } from 'vitest'
import { parsePluginSource } from '../../../src/rules/plugins/plugin-source.ts'

const parse = (text: string) => parsePluginSource(text, (path) => path === './fmt' || path === 'plugins')
const git = (url: string, ref: string | null = null) => ({ source: { kind: 'git', url, ref }, name: null })

test.each([
  ['./fmt', { source: { kind: 'directory', path: './fmt' }, name: null }],
  ['one@./fmt', { source: { kind: 'directory', path: './fmt' }, name: 'one' }],
  ['acme/fmt', git('https://github.com/acme/fmt.git')],
  ['acme/fmt#v2', git('https://github.com/acme/fmt.git', 'v2')],
  ['git@github.com:acme/fmt.git', git('git@github.com:acme/fmt.git')],
  ['https://ann:pass@example.com/fmt.git#feature/x', git('https://ann:pass@example.com/fmt.git', 'feature/x')],
  ['ssh://git@example.com:22/fmt', git('ssh://git@example.com:22/fmt')],
  ['file:///srv/fmt.git', git('file:///srv/fmt.git')],
  ['fmt@git@github.com:acme/all.git#v2', { ...git('git@github.com:acme/all.git', 'v2'), name: 'fmt' }],
])('%s is a source', (text, wanted) => {
  expect(parse(text)).toEqual(wanted)
})

test.each([
  'ext::sh -c touch% /tmp/x',
  'fmt@ext::sh -c id',
  '--upload-pack=touch /tmp/x',
  '-u',
  'ssh://-oProxyCommand=id/x',
  'ssh://-oProxyCommand=id@host/x',
  'git@-oProxyCommand=id:x',
  'git@host:-x',
  'git://example.com/fmt',
  'http://example.com/fmt',
  'file://host/share',
  'https://example.com/a\nb',
  'acme/fmt#--upload-pack=x',
  'acme/fmt#a..b',
  'acme/fmt#',
  './gone',
  '../..',
  '/etc',
  'fmt',
  '',
  'acme/../fmt',
])('%s is none', (text) => {
  expect(parse(text)).toMatchObject({ trouble: expect.any(String) as string })
})
