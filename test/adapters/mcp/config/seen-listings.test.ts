import { expect, test } from 'vitest'
import { agreedMark, agreeTo, readSeen, rememberListing } from '../../../../src/adapters/mcp/config/seen-listings.ts'
import { emptyDirectory } from '../../../ui/cli/process/troupe.ts'

const tool = (name: string, mark: string) => ({ name, description: '', inputSchema: {}, readOnly: false, mark })
const listing = (...tools: readonly ReturnType<typeof tool>[]) => ({
  instructions: '',
  tools,
  prompts: [],
  resources: false,
  warnings: [],
})

test.for(['echo', 'constructor', 'toString', '__proto__'])(
  'a tool called %s that comes later is agreed to as it came, and a changed one is not',
  (name) => {
    const home = emptyDirectory()
    rememberListing(home, 'key', listing())
    rememberListing(home, 'key', listing(tool(name, 'first')))
    expect(agreedMark(readSeen(home, 'key')?.agreed, tool(name, ''))).toBe('first')
    rememberListing(home, 'key', listing(tool(name, 'second')))
    expect(agreedMark(readSeen(home, 'key')?.agreed, tool(name, ''))).toBe('first')
    agreeTo(home, 'key', tool(name, 'second'))
    expect(agreedMark(readSeen(home, 'key')?.agreed, tool(name, ''))).toBe('second')
    expect(agreedMark({}, tool(name, ''))).toBeUndefined()
  },
)
