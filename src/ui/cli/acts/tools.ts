import { listTools as builtIn } from '../../../runtime/list-tools.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, type Host } from '../host.ts'
import { table } from '../table.ts'

export interface ToolsOptions {
  readonly json?: true | undefined
}

/** Lists the built-in tools, one line each. */
export async function listTools(options: ToolsOptions, host: Host): Promise<ExitCode> {
  const tools = builtIn()
  if (options.json) {
    await print(host.stdout, `${JSON.stringify(tools, null, 2)}\n`)
    return exitCodes.done
  }
  const rows = tools.map(({ name, effect, description }) => [name, effect, firstSentence(description)])
  await print(host.stdout, table(['TOOL', 'EFFECT', 'WHAT'], rows))
  return exitCodes.done
}

function firstSentence(text: string): string {
  return text.trim().split(/(?<=\.)\s|\n/)[0] ?? ''
}
