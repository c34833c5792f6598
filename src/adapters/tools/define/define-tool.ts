import { z } from 'zod'
import { toolNamePattern } from '../../../protocol/words/ids.ts'
import type {
  Tool,
  ToolContext,
  ToolEffect,
  ToolOutput,
  ToolRetry,
  ToolReuse,
  ToolSpec,
} from '../../../protocol/tools/tool.ts'

/** The schema language for arguments of tools: handed out, so that no second copy of zod is loaded. */
export { z }

/** The author's declaration of a tool; every missing part means the restrictive value. */
export interface ToolDefinition<Input> {
  readonly name: string
  /** Names that models know a built-in tool by; those of other tools are matched by nobody. */
  readonly aliases?: readonly string[]
  /** Read by models with no other context: when to use it, when not, its limits. */
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly effect?: ToolEffect
  isConcurrencySafe?(input: Input): boolean
  isReadOnly?(input: Input): boolean
  isDestructive?(input: Input): boolean
  readonly interrupt?: 'block' | 'cancel'
  readonly requiresInteraction?: boolean
  /** For tools that are seldom needed: the model sees only the name until it looks the tool up with ToolSearch. */
  readonly reaches?: Tool['reaches']
  readonly defer?: boolean
  /** Never deferred, even where all other tools are. */
  readonly alwaysLoad?: boolean
  /** Whether the tool is offered in a turn; asked for each. */
  isEnabled?(): boolean
  /** Takes the place of a call that broke off, when no attempt is left. */
  fallback?(input: Input, context: ToolContext, failed: ToolOutput): Promise<ToolOutput>
  /** The work goes on without the tool when it breaks off: the model is told, and it is no error. */
  readonly optional?: boolean
  readonly maxResultChars?: number
  readonly timeout?: number | null
  /** For failures that pass. What had an effect already must not be called transient. */
  readonly retry?: ToolRetry
  /** Only for tools whose result depends on nothing but the input and what the team's tools change. */
  readonly reuse?: ToolReuse
  /** Goes with `reuse: 'until_write'`: tells whether what the output was made from is still the same. */
  stamp?(input: Input, context: ToolContext): Promise<string | null>
  /** Judges meaning after the shape is right. It runs before any permission is given: it must touch nothing. */
  check?(
    input: Input,
    context: Pick<ToolContext, 'cwd' | 'memory' | 'team' | 'plan' | 'advise'>,
  ): Promise<string | null>
  run(input: Input, context: ToolContext): Promise<ToolOutput>
}

/** The check of a tool that declares none; `describeCall` knows it by identity and lets the phase be skipped. */
export const noCheck = (): Promise<null> => Promise.resolve(null)

const no = (): boolean => false
const noStamp = (): Promise<null> => Promise.resolve(null)

/**
 * Makes a tool out of its definition. A missing safety declaration means: not safe beside others, not read-only,
 * destructive, not to be interrupted by mail, never tried again, always run, may execute.
 *
 * @throws When the name or the description could not be shown to a model: such a definition is a programming error.
 * @example
 * const now = defineTool({
 *   name: 'Now',
 *   description: 'Returns the current time.',
 *   input: z.strictObject({}),
 *   effect: 'none',
 *   isReadOnly: () => true,
 *   run: async () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }),
 * })
 */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool<Input> {
  if (!toolNamePattern.test(definition.name)) {
    throw new Error(
      `tool name "${definition.name}" must start with a letter and hold only letters, digits, "_" and "-"`,
    )
  }
  if (definition.description.trim() === '') throw new Error(`tool ${definition.name} needs a description`)
  const isReadOnly = definition.isReadOnly ?? no
  return {
    name: definition.name,
    aliases: definition.aliases ?? [],
    description: definition.description,
    input: definition.input,
    effect: definition.effect ?? 'execute',
    isConcurrencySafe: definition.isConcurrencySafe ?? no,
    isReadOnly,
    isDestructive: definition.isDestructive ?? ((input) => definition.effect !== 'none' && !isReadOnly(input)),
    interrupt: definition.interrupt ?? 'block',
    requiresInteraction: definition.requiresInteraction ?? false,
    ...(definition.reaches === undefined ? {} : { reaches: definition.reaches }),
    defer: definition.defer ?? false,
    ...(definition.alwaysLoad && { alwaysLoad: true }),
    ...(definition.isEnabled && { isEnabled: definition.isEnabled }),
    ...(definition.fallback && { fallback: definition.fallback }),
    ...(definition.optional && { optional: true }),
    maxResultChars: definition.maxResultChars ?? 30_000,
    timeout: definition.timeout === undefined ? 120_000 : definition.timeout,
    retry: definition.retry ?? null,
    reuse: definition.reuse ?? 'never',
    stamp: definition.stamp ?? noStamp,
    check: definition.check ?? noCheck,
    run: definition.run,
  }
}

const specs = new WeakMap<Tool, ToolSpec>()

/**
 * The model's view of a tool. The same tool always gives the very same object, so that providers can cache their
 * translation of it. References are inlined: model APIs do not follow `$ref`.
 *
 * @throws When the input schema has no JSON Schema form (a transform, a date): a programming error of the tool.
 * @example toolSpec(read).parameters // { type: 'object', properties: { file_path: … }, … }
 */
export function toolSpec(tool: Tool): ToolSpec {
  const known = specs.get(tool)
  if (known) return known
  const parameters: Record<string, unknown> = tool.parameters
    ? { ...tool.parameters }
    : z.toJSONSchema(tool.input, { io: 'input', reused: 'inline' })
  delete parameters['$schema']
  const spec: ToolSpec = { name: tool.name, description: tool.description, parameters }
  specs.set(tool, spec)
  return spec
}
