import { expect, test } from 'vitest'
import { editorCall } from '../../../src/ui/cli/host/open-editor.ts'

const place = { file: '/a b/c.ts', line: 7 }

test.each([
  ['vim', ['vim', '+7', '/a b/c.ts']],
  ['/usr/bin/nano -w', ['/usr/bin/nano', '-w', '+7', '/a b/c.ts']],
  ['code --wait', ['code', '--wait', '--goto', '/a b/c.ts:7']],
  ['hx', ['hx', '/a b/c.ts:7']],
])('%s opens a file at its line', (editor, call) => expect(editorCall(editor, place)).toEqual(call))
