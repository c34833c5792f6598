import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { parseYaml } from '../../adapters/teams/yaml-source.ts'
import { schemaDiagnostics } from '../../adapters/teams/schema-issues.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { modelNameSchema } from '../../protocol/team/work-card.ts'

const rate = z.number().nonnegative()
const tokens = z.number().int().positive()

/** A person's corrections to the table of models that comes with the package. */
const overrideSchema = z.strictObject({
  input: rate,
  output: rate,
  cache_read: rate.optional(),
  cache_write: rate.optional(),
  window: tokens.optional(),
  max_output: tokens.optional(),
})
const overridesSchema = z.record(modelNameSchema, overrideSchema)

export type ModelOverrides = z.infer<typeof overridesSchema>

/** A file of models that cannot be used; every mistake is in `diagnostics`. */
export class ModelsFileError extends Error {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'))
    this.name = 'ModelsFileError'
    this.diagnostics = diagnostics
  }
}

/**
 * Reads a person's file of models. Prices are dollars per million tokens, sizes are tokens.
 *
 * @returns null when there is no such file
 * @throws ModelsFileError with the place of every mistake
 *
 * @example
 * await readModelOverrides('/home/ada/.troupe/models.json')
 * // { 'openai-compatible/llama-4': { input: 0, output: 0, window: 131_072, max_output: 8_192 } }
 */
export async function readModelOverrides(file: string): Promise<ModelOverrides | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const source = parseYaml(file, text)
  if (source.diagnostics.length > 0) throw new ModelsFileError(source.diagnostics)
  const parsed = overridesSchema.safeParse(source.value)
  if (parsed.success) return parsed.data
  throw new ModelsFileError(schemaDiagnostics(parsed.error.issues, source, overridesSchema))
}
