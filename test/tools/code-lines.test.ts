import { expect, test } from 'vitest'
import { codeLines } from './code-lines.ts'

const cases = [
  ['nothing', '', 0],
  ['blank lines and comments only', '#!/usr/bin/env node\n\n// one\n/* two\n\n   three */\n', 0],
  ['a comment behind code', 'const a = 1 // one\n', 1],
  ['code behind the end of a comment', '/* one\n*/ const a = 1\n', 1],
  ['documentation of a member', 'interface A {\n  /** One. */\n  readonly a: number\n}\n', 3],
  ['a comment between two tokens', 'const a =\n  // one\n  1\n', 2],
  ['what looks like a comment in a text', "const a = '/*'\nconst b = '//'\nconst c = '*/'\n", 3],
  ['what looks like a comment in a pattern', 'const a = /[/*]/\nconst b = 1 // */\n', 2],
  ['a template, without its blank line', 'const a = `\n// one ${1}\n\n/* two`\n', 3],
  ['markup', 'const a = (\n  <p>\n    {/* one */}\n\n    // text\n  </p>\n)\n', 6],
  ['line ends of another system', 'const a = 1\r\n\r\n// one\r\nconst b = 2\r\n', 2],
] as const

test.for(cases)('%s', ([name, text, lines]) => {
  expect(codeLines(name === 'markup' ? 'a.tsx' : 'a.ts', text)).toBe(lines)
})
