import { describe, expect, test } from 'vitest'
import type { Tool, ToolContext, ToolEffect } from '../../src/protocol/tools/tool.ts'
import { describeCall } from '../../src/adapters/tools/describe-call.ts'
import { runCall } from '../../src/adapters/tools/define/run-call.ts'
import { toolSpec } from '../../src/adapters/tools/define/define-tool.ts'

/** A tool under the contract, with one call of it that works. */
export interface ToolUnderContract {
  readonly tool: Tool
  /** Prepares the place if need be and returns an input with which the tool succeeds there. */
  readonly sample: (context: ToolContext) => Promise<unknown>
  readonly context: (more?: Partial<ToolContext>) => ToolContext
}

/** What a declared effect promises of the sample call. */
const promised: Record<ToolEffect, { reads?: boolean; harmless?: boolean }> = {
  read: { reads: true, harmless: true },
  edit: { reads: false, harmless: false },
  execute: {},
  network: {},
  team: {},
  none: { harmless: true },
}

/** What every tool owes those who describe, dispatch and run it. */
export function toolContract({ tool, sample, context }: ToolUnderContract): void {
  const describeOne = describeCall(new Map([[tool.name, tool]]))
  const call = (input: unknown) => describeOne({ type: 'tool_use', id: 'c', name: tool.name, input })

  describe(`${tool.name} keeps the tool contract`, () => {
    test('shows a model a flat, closed, fully described schema that keeps its identity', () => {
      const spec = toolSpec(tool)
      expect(toolSpec(tool)).toBe(spec)
      expect(spec.parameters).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(spec.parameters)).not.toMatch(/\$ref|\$schema/)
      const properties = spec.parameters['properties'] as Record<string, { description?: string }>
      expect(Object.keys(properties).filter((name) => !properties[name]?.description)).toEqual([])
      expect(spec.description.length).toBeGreaterThan(60)
      expect(spec.description.length).toBeLessThan(2_500)
    })

    test('declares its safety without contradicting itself', async () => {
      const input = call(await sample(context())).input
      const [safe, reads, destroys] = [tool.isConcurrencySafe(input), tool.isReadOnly(input), tool.isDestructive(input)]
      expect({ safeButWrites: safe && !reads, readsButDestroys: reads && destroys }).toEqual({
        safeButWrites: false,
        readsButDestroys: false,
      })
      expect({ reads, harmless: !destroys }).toMatchObject(promised[tool.effect])
      expect(tool.maxResultChars).toBeGreaterThan(0)
      expect(tool.aliases).not.toContain(tool.name)
    })

    test('refuses fields it does not know and arguments of the wrong shape, by name', async () => {
      const good = call(await sample(context())).input as Record<string, unknown>
      expect(call({ ...good, bogus_field: 1 }).refusal).toMatch(/^InputValidationError: .*bogus_field/s)
      const [field] = Object.keys(good)
      expect(call({ ...good, [field ?? '']: { not: 'this' } }).refusal).toContain(field)
      for (const wrong of [null, 'text', 7, []]) expect(call(wrong).refusal).toMatch(/^InputValidationError: /)
    })

    test('succeeds on its sample with text within its bound', async () => {
      const here = context()
      const described = call(await sample(here))
      expect(described.refusal).toBeNull()
      expect(await tool.check(described.input, here)).toBeNull()
      const output = await runCall(tool, described.input, here)
      expect(output.isError ?? false).toBe(false)
      const text = output.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      expect(text).not.toBe('')
      expect(text.length).toBeLessThanOrEqual(tool.maxResultChars)
    })

    test('answers with an error when it is stopped before it starts', async () => {
      const here = context({ signal: AbortSignal.abort() })
      const output = await runCall(tool, call(await sample(here)).input, here)
      expect(output.isError).toBe(true)
    })

    test('answers with an error, never an exception, where nothing can be found', async () => {
      const nowhere = context({ cwd: '/dev/null/nowhere', env: { PATH: '/dev/null' } })
      const output = await runCall(tool, call(await sample(context())).input, nowhere)
      expect(output.content.length).toBeGreaterThan(0)
    })
  })
}
