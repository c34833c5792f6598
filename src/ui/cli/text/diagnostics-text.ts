import { isAbsolute, relative, resolve } from 'node:path'
import type { Diagnostic } from '../../../protocol/words/diagnostic.ts'

/**
 * Mistakes as a person reads them, one line each and its hint below:
 * `teams/review.yaml:4:3 error unknown_key there is no key "modell"`.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[], cwd: string): string {
  return diagnostics.map((diagnostic) => diagnosticText(diagnostic, cwd)).join('\n')
}

function diagnosticText({ file, line, column, severity, code, message, hint }: Diagnostic, cwd: string): string {
  // An option has no lines.
  const place = file.startsWith('--') ? file : `${shortPath(file, cwd)}:${line}:${column}`
  const head = `${place} ${severity} ${code} ${message}`
  return hint === undefined ? head : `${head}\n  ${hint}`
}

/** ` --cwd ../other` where commands about a run need it, else nothing. */
export function cwdOption(runDirectory: string, cwd: string): string {
  const workspace = resolve(runDirectory, '../../..')
  return workspace === resolve(cwd) ? '' : ` --cwd ${shortPath(workspace, cwd)}`
}

/** The shorter of a path's two spellings, for people. */
export function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path
  const near = relative(cwd, path)
  return near !== '' && near.length < path.length ? near : path
}
