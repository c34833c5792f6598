import { isOption, type Option } from '../options/given-option.ts'

const gitReaders = new Set(
  `status log diff show ls-files ls-tree rev-list rev-parse blame describe shortlog branch merge-base name-rev show-ref
  for-each-ref count-objects grep annotate cherry check-attr check-ignore diff-files diff-index diff-tree whatchanged`.split(
    /\s+/,
  ),
)
/** Subcommands that also write, in the forms that do not. */
const gitQuestions = [
  /^remote( -v| show)?$/,
  /^tag( -l| --list| -n\d*)?$/,
  /^(tag|branch) (-l|--list) [\w.*/-]+$/,
  /^stash list$/,
  /^config (((--get|--get-all|--list|-l)( [\w.-]+)?)|[\w-]+(\.[\w-]+)+)$/,
  /^cat-file (-p|-t|-s|-e) [^\s-]\S*$/,
  /^reflog( show)?( (?!(expire|delete|drop|write)$)[\w./@{}-]+)?$/,
  /^worktree list( --porcelain)?$/,
  /^(version|--version|var GIT_\w+)$/,
  /^symbolic-ref (--short )?HEAD$/,
]
const dangers: Option = {
  names: ['output', 'ext-diff', 'textconv', 'exec', 'upload-pack', 'open-files-in-pager', 'no-index', 'show-signature'],
}
/** A form of `--submodule` in which git goes into a repository that a commit names, and works there by its settings. */
const entersOther = /^--sub[a-z]*=(?!(log|short)$)/
/** A program that shows what was found, and a file of patterns. */
const grepDangers: Option = { letters: 'Of', valued: 'ABCem' }
/** Signs of a format for which git starts a program that checks a signature. */
const checksSignature = /%[-+ ]?G|%\(\*?signature|^(for-each-ref|branch|tag)\b.*[=: -]\*?signature/
const branchQuestions =
  /^(--list|--show-current|--all|--remotes|--verbose|--merged|--no-merged|--contains|--sort=.*|--format=.*|-[arv]+)$/

/**
 * Whether git only reads with these arguments.
 *
 * @example readsGit(['log', '--oneline']) // true
 */
export function readsGit(args: readonly string[]): boolean {
  // Where it works is judged by the caller.
  const start = args.findIndex(
    (arg, at) => arg !== '--no-pager' && arg !== '-P' && arg !== '-C' && args[at - 1] !== '-C',
  )
  const [subcommand = '', ...rest] = args.slice(Math.max(0, start))
  const asked = [subcommand, ...rest].join(' ')
  // A manual is shown by another program, as the settings say.
  if (checksSignature.test(asked) || rest.includes('--help')) return false
  if (gitQuestions.some((question) => question.test(asked))) return true
  if (!gitReaders.has(subcommand) || rest.some((arg) => isOption(arg, dangers) || entersOther.test(arg))) return false
  if (subcommand === 'grep' && rest.some((arg) => isOption(arg, grepDangers))) return false
  if (subcommand !== 'branch') return true
  const listing = rest.includes('--list') || rest.includes('-l')
  return rest.every((arg) => branchQuestions.test(arg) || arg === '-l' || (listing && !arg.startsWith('-')))
}
