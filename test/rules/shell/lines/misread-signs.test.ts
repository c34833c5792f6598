import { expect, test } from 'vitest'
import { misread } from '../../../../src/rules/shell/lines/misread-signs.ts'

test.each([
  'for PATH\\\n in 1; do ls; done',
  'cat $\\\nx',
  'cat <<\\\n-E\nx\nE',
  "cat $'\\x{2e}env'",
  'echo {Z..a..6}',
  'echo {x,{a..Z}}',
])('%j may be read in another way', (script) => expect(misread(script)).not.toBeNull())

test.each(['ls \\\n -l', 'ls |\\\n wc', "echo 'a\\\nb'", "cat $'\\x2eenv'", 'echo {a..z} {A..Z} {1..9}', 'ls'])(
  '%j is read as it looks',
  (script) => expect(misread(script)).toBeNull(),
)
