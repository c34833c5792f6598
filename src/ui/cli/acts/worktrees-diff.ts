import { diffLeft, leftTrees } from '../../../runtime/upkeep/tend-worktrees.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import type { Paint } from '../../text/terminal-text.ts'
import { paintFor } from '../../text/theme.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, printJson, type Host } from '../host/host.ts'
import type { RunChoice } from '../runs/run-choice.ts'
import { namedTrees, treeName, treesPlace } from './worktrees.ts'

/**
 * Shows the changes of worktrees since their bases: the patch, or with `--stat` the files and their lines. A terminal is
 * given nothing to obey; a pipe gets the patch byte for byte, so that `git apply` takes it.
 */
export async function worktreesDiff(
  names: readonly string[],
  options: RunChoice & { readonly stat?: true | undefined },
  host: Host,
): Promise<ExitCode> {
  const place = treesPlace(options, host)
  const paint = paintFor(host.stdout, host.env)
  const documents: object[] = []
  for (const tree of namedTrees(await leftTrees(place), names)) {
    const { patch, ...diff } = await diffLeft(tree, place)
    documents.push({
      worktree: treeName(tree),
      ...diff,
      ...(options.stat ? {} : { patch: String(patch).replace(/\n$/, '') }),
    })
    if (options.json) continue
    if (diff.files.length === 0) await print(host.stderr, `${treeName(tree)}: nothing changed\n`)
    else if (options.stat) await print(host.stdout, statText(diff.files))
    else await print(host.stdout, host.stdout.isTTY ? patchText(String(patch), paint) : patch)
  }
  if (options.json) await printJson(host.stdout, documents)
  return exitCodes.done
}

function statText(files: Awaited<ReturnType<typeof diffLeft>>['files']): string {
  return files
    .map(({ path, added, deleted }) => `${added === null ? 'binary' : `+${added} -${deleted}`}\t${plainLine(path)}\n`)
    .join('')
}

/** The bytes of a file that is no text, in git's letters: nobody reads them. */
const binary = /^GIT binary patch\n(?:(?:literal|delta) \d+\n(?:.+\n)+\n)+/gm

function patchText(patch: string, paint: Paint): string {
  const lines = plainText(patch.replace(binary, 'Binary files differ\n').replace(/\n$/, ''))
    .split('\n')
    .map((line) => painted(line, paint))
  return `${lines.join('\n')}\n`
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint('cyan', line)
  if (/^\+(?!\+\+ )/.test(line)) return paint('green', line)
  return /^-(?!-- )/.test(line) ? paint('red', line) : line
}
