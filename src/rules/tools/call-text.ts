import { didYouMean } from './did-you-mean.ts'

/** A call as people write it on a command line. */
export interface WrittenCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The argument that a text in parentheses stands for, when it is not JSON. */
const mainArgument: Readonly<Record<string, string>> = {
  Bash: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookRead: 'notebook_path',
  NotebookEdit: 'notebook_path',
  LS: 'path',
  Grep: 'path',
  Glob: 'pattern',
  WebFetch: 'url',
  Agent: 'subagent_type',
  Skill: 'name',
}

/**
 * Reads a call in the spelling of rules: `Tool`, `Tool(its main argument)` or `Tool({…json…})`.
 *
 * @returns what was wrong as `error` when it is no call
 * @example callOf('Bash(git push)') // { tool: 'Bash', input: { command: 'git push' } }
 */
export function callOf(text: string): WrittenCall | { readonly error: string } {
  const found = /^([A-Za-z][\w.-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim())
  const tool = found?.[1]
  if (tool === undefined) return { error: `"${text}" is no call: write Tool(input), such as 'Bash(git push)'` }
  const given = found?.[2]?.trim() ?? ''
  if (given.startsWith('{')) return withJson(tool, given)
  if (given === '') return { tool, input: {} }
  const name = Object.hasOwn(mainArgument, tool) ? mainArgument[tool] : undefined
  if (name === undefined) {
    const meant = didYouMean(tool, Object.keys(mainArgument))
    const hint =
      meant === undefined ? `has to be JSON: ${tool}({"name": "value"})` : `is unclear: did you mean ${meant}?`
    return { error: `what ${tool} is called with ${hint}` }
  }
  return { tool, input: { [name]: given } }
}

function withJson(tool: string, given: string): ReturnType<typeof callOf> {
  try {
    return { tool, input: JSON.parse(given) as Readonly<Record<string, unknown>> }
  } catch {
    return { error: `what ${tool} is called with is no JSON: ${given}` }
  }
}
