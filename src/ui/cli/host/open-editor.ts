import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'

/** A place in a file; lines count from 1. */
interface Place {
  readonly file: string
  readonly line: number
}

type Env = Readonly<Record<string, string | undefined>>

const gotoFlag = new Set(['code', 'code-insiders', 'codium', 'cursor', 'windsurf'])
const colon = new Set(['hx', 'helix', 'subl', 'zed'])

/**
 * The command line that opens a file at a line, as each editor wants it: most understand `+LINE`.
 * @param editor as `$EDITOR` has it, with options
 * @example editorCall('code --wait', { file: '/a.ts', line: 3 }) // ['code', '--wait', '--goto', '/a.ts:3']
 */
export function editorCall(editor: string, { file, line }: Place): readonly [program: string, ...args: string[]] {
  const [program = '', ...options] = editor.trim().split(/\s+/)
  const name = basename(program).replace(/\.(exe|cmd)$/i, '')
  const at = `${file}:${line}`
  if (gotoFlag.has(name)) return [program, ...options, '--goto', at]
  return colon.has(name) ? [program, ...options, at] : [program, ...options, `+${line}`, file]
}

/**
 * Opens a file at a line in `$VISUAL`, else `$EDITOR`, else vi, on this terminal; resolves when the editor is left.
 * @throws when it cannot be started or says that it failed
 */
export async function openEditor(place: Place, env: Env): Promise<void> {
  const [program, ...args] = editorCall(env['VISUAL'] || env['EDITOR'] || 'vi', place)
  const child = spawn(program, args, { stdio: 'inherit', env: { ...env } })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code === null ? 'a signal' : `code ${code}`}`)
}
