import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { errorText } from '../../../protocol/words/error-text.ts'
import type { CodeToolCard } from '../../../protocol/team/team-tools.ts'
import type { Tool } from '../../../protocol/tools/tool.ts'
import { defineTool, type ToolDefinition } from '../define/define-tool.ts'

/** A tool file cannot be used; the message names the file and the cure. */
export class CodeToolError extends Error {}

const makings = { defineTool, z }

const shape = z.looseObject({
  name: z.string(),
  description: z.string(),
  input: z.custom<z.ZodType>(
    (value) => typeof value === 'object' && value !== null && 'safeParse' in value,
    'no zod schema',
  ),
  run: z.custom<ToolDefinition<unknown>['run']>((value) => typeof value === 'function', 'no function'),
})

/**
 * Loads a tool from a file beside a team. The file exports `tool`: a definition, or a function that makes one out of
 * `{ defineTool, z }`, so that it need not import anything. What it does not declare takes the restrictive value.
 *
 * @param path Absolute; its content must be what the card says, since that is what was trusted.
 * @throws CodeToolError
 * @example await loadCodeTool({ name: 'Deploy', file: 'tools/Deploy.ts', sha256 }, '/project/teams/tools/Deploy.ts')
 */
export async function loadCodeTool(card: CodeToolCard, path: string): Promise<Tool> {
  const content = await readFile(path).catch((error: unknown) => fail(path, errorText(error)))
  const sha256 = createHash('sha256').update(content).digest('hex')
  if (sha256 !== card.sha256) fail(path, 'it was changed since the team was loaded; load the team again')
  // The hash in the address: a changed file is another module.
  const address = `${pathToFileURL(path).href}?sha256=${sha256}`
  const loaded = (await import(address).catch((error: unknown) => fail(path, errorText(error)))) as {
    readonly tool?: unknown
  }
  const given =
    typeof loaded.tool === 'function' ? made(loaded.tool as (parts: typeof makings) => unknown, path) : loaded.tool
  const definition = shape.safeParse(given)
  if (!definition.success) {
    const what = definition.error.issues.map(({ path: keys, message }) => `${keys.join('.') || 'tool'}: ${message}`)
    return fail(path, `it must export \`tool\` with name, description, input and run (${what.join('; ')})`)
  }
  if (definition.data.name !== card.name)
    fail(path, `its tool is called ${definition.data.name}; file and tool must have one name`)
  try {
    return defineTool(definition.data as ToolDefinition<unknown>)
  } catch (error) {
    return fail(path, errorText(error))
  }
}

function made(make: (parts: typeof makings) => unknown, path: string): unknown {
  try {
    return make(makings)
  } catch (error) {
    return fail(path, errorText(error))
  }
}

function fail(path: string, why: string): never {
  throw new CodeToolError(`${path}: ${why}`)
}
