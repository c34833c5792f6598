import { durationMs } from '../../protocol/words/duration.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import type { Packaged } from '../../protocol/tools/around-work.ts'
import type { ToolOutput } from '../../protocol/tools/tool.ts'
import { newComplaints } from '../../rules/tools/new-complaints.ts'

/** The abilities of a member that packaged middleware uses. */
export interface PackagedParts {
  /** Puts a text into a file of the run. @returns its path */
  keep(text: string): string
  /** Runs a checker as a call of the member's own Bash, past all packaged middleware. */
  run(command: string, timing: { readonly timeoutMs: number; readonly signal: AbortSignal }): Promise<CheckerRun>
}

/** The whole report of a checker, or why it did not run to its end. */
export type CheckerRun = { readonly report: string } | { readonly trouble: string }

type Options<Name extends keyof Packaged> = NonNullable<Packaged[Name]>

/** Opens what a team file names, in its order: `packagedMiddleware([{ short_tail: { keep: 4 } }], parts)`. */
export function packagedMiddleware(named: readonly Packaged[], parts: PackagedParts): readonly Middleware[] {
  return named.flatMap(({ dedup_tools, persist_results, short_tail, diagnostics }) => [
    ...(dedup_tools ? [dedupTools(dedup_tools)] : []),
    ...(persist_results ? [persistResults(persist_results, parts)] : []),
    ...(short_tail ? [shortTail(short_tail)] : []),
    ...(diagnostics ? [diagnosed(diagnostics, parts)] : []),
  ])
}

/**
 * The latest good result of each tool stands for an equal call, until another tool has run, which may change things.
 * Permissions and limits are asked all the same.
 */
function dedupTools({ tools }: Options<'dedup_tools'>): Middleware {
  const latest = new Map<string, { readonly input: string; readonly output: ToolOutput }>()
  let others = 0
  return {
    name: 'dedup_tools',
    gateToolCall({ tool, input }) {
      const before = latest.get(tool)
      return before?.input === JSON.stringify(input) ? { result: before.output } : undefined
    },
    async wrapToolCall({ tool, input }, next) {
      const [listed, before] = [tools.includes(tool), others]
      try {
        const output = await next()
        if (listed && output.isError !== true && before === others)
          latest.set(tool, { input: JSON.stringify(input), output })
        return output
      } finally {
        if (!listed) {
          others += 1
          latest.clear()
        }
      }
    },
  }
}

const preview = 2_000

function persistResults({ above, except = [] }: Options<'persist_results'>, { keep }: PackagedParts): Middleware {
  return {
    name: 'persist_results',
    async wrapToolCall({ tool }, next) {
      const output = await next()
      const text = textOf(output)
      if (text.length <= above || except.includes(tool) || output.stored) return output
      const shown = `${text.slice(0, preview)}\n[The whole result, ${text.length} characters, is in ${keep(text)}.]`
      const others = output.content.filter(({ type }) => type !== 'text')
      return { ...output, content: [{ type: 'text', text: shown }, ...others] }
    },
  }
}

const stub = [{ type: 'text' as const, text: '[left out: call the tool again if you need this]' }]

function shortTail({ keep, above = 128 * 1024 }: Options<'short_tail'>): Middleware {
  return {
    name: 'short_tail',
    modifyRequest(request) {
      const { messages } = request
      const chars = messages.reduce(
        (sum, message) =>
          sum + (message.role === 'tool' ? message.results.reduce((all, each) => all + textOf(each).length, 0) : 0),
        0,
      )
      if (chars <= above) return request
      const results = messages.flatMap(({ role }, at) => (role === 'tool' ? [at] : []))
      const from = keep === 0 ? messages.length : (results[Math.max(0, results.length - keep)] ?? messages.length)
      const shortened = messages.map((message, at) =>
        at < from && message.role === 'tool'
          ? { ...message, results: message.results.map((result) => ({ ...result, content: stub })) }
          : message,
      )
      return { ...request, messages: shortened }
    },
  }
}

/** Complaints that are shown at once. */
const mostLines = 30

/**
 * The checker runs before the first edit of a member, and after each: lines that it did not print before are told with the
 * result. A run that failed is no measure: the next one that ends is. Edits of one message run one after the other, and so
 * do its runs.
 */
function diagnosed({ command, files, timeout = '30s' }: Options<'diagnostics'>, { run }: PackagedParts): Middleware {
  const timeoutMs = durationMs(timeout)
  let first = true
  let before: string | null = null
  return {
    name: 'diagnostics',
    async wrapToolCall({ tool }, next, { signal }) {
      if (!['Edit', 'MultiEdit', 'Write'].includes(tool)) return next()
      if (first) {
        first = false
        const ran = await run(command, { timeoutMs, signal })
        if ('report' in ran) before = ran.report
      }
      const output = await next()
      const path = output.file?.wrote === true ? output.file.path : null
      if (path === null || (files !== undefined && !files.some((end) => path.endsWith(end)))) return output
      const ran = await run(command, { timeoutMs, signal })
      const told =
        'trouble' in ran ? [`\`${command}\` did not run to its end: ${ran.trouble}`] : news(command, before, ran)
      if ('report' in ran) before = ran.report
      return told.length === 0
        ? output
        : { ...output, content: [...output.content, { type: 'text', text: `\n${told.join('\n')}` }] }
    },
  }
}

/** The lines that tell of what a checker did not complain of before; none without an earlier report. */
function news(command: string, before: string | null, { report }: { readonly report: string }): readonly string[] {
  const fresh = before === null ? [] : newComplaints(before, report)
  if (fresh.length === 0) return []
  const more = fresh.length > mostLines ? [`… and ${fresh.length - mostLines} more`] : []
  return [`\`${command}\` complains since this edit:`, ...fresh.slice(0, mostLines), ...more]
}
