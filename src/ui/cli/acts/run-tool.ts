import { errorText } from '../../../protocol/words/error-text.ts'
import type { PermissionMode } from '../../../protocol/permissions/permission.ts'
import { openApprover } from '../../../runtime/permissions/approvers.ts'
import { runTool } from '../../../runtime/run/run-tool.ts'
import { paintFor } from '../../text/colour.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host } from '../host/host.ts'
import { plainText } from '../../text/terminal-text.ts'
import { questionText } from '../text/question-text.ts'
import { UserError } from '../host/user-error.ts'
import { refuseBrokenRules } from '../runs/refuse-broken-rules.ts'
import { pick, toolsFor, type ToolsOptions } from './tools.ts'

export interface RunToolOptions extends ToolsOptions {
  readonly mode?: PermissionMode | undefined
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}

/** Calls one tool as an agent would, with its permission, and prints what a model would see. */
export async function callTool(
  { name, input }: { readonly name: string; readonly input: string },
  options: RunToolOptions,
  host: Host,
): Promise<ExitCode> {
  refuseBrokenRules(options)
  const tool = pick(await toolsFor(options, host), name)
  const { cwd, home, env } = host
  const { mode, allow = [], deny = [] } = options
  const stop = new AbortController()
  const unlisten = host.onSignal('SIGINT', () => stop.abort())
  try {
    const result = await runTool({
      tool,
      input: argumentsOf(input),
      cwd,
      home,
      env,
      permissions: { allow: [...allow], deny: [...deny], ...(mode === undefined ? {} : { mode }) },
      ...approverOf(host),
      // On one screen with the result it would be there twice.
      progress: (text) => void (host.stdout.isTTY !== true && host.stderr.isTTY && host.stderr.write(plainText(text))),
      signal: stop.signal,
    })
    const shown = result.content
      .map((block) => (block.type === 'text' ? block.text : `[${block.media_type}]`))
      .join('\n')
    await print(host.stdout, options.json ? `${JSON.stringify(result, null, 2)}\n` : `${plainText(shown)}\n`)
    return result.is_error ? exitCodes.failed : exitCodes.done
  } finally {
    unlisten()
  }
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = errorText(error)
    throw new UserError(`the arguments are not valid JSON: ${why}; give an object such as '{"path": "."}'`)
  }
}

/** Without a terminal nobody is asked. */
function approverOf(host: Host): { readonly approver?: ReturnType<typeof openApprover> } {
  if (host.stdin.isTTY !== true || host.stderr.isTTY !== true) return {}
  const paint = paintFor(host.stderr, host.env)
  const describe = (question: Parameters<typeof questionText>[0]) => questionText(question, host.cwd, paint)
  const still = (): void => undefined
  return { approver: openApprover({ input: host.stdin, output: host.stderr, describe, pause: still, resume: still }) }
}
