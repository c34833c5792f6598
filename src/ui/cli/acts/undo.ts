import { listCheckpoints, nameCheckpoint, undoMember, type ListedCheckpoint } from '../../../runtime/run/undo-member.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printEither, type Host, type Values } from '../host/host.ts'
import { plainText } from '../../text/plain-text.ts'
import { runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'

interface Named {
  readonly run: string
  readonly member: string
}

type UndoOptions = RunChoice & Values<'to' | 'name'> & { readonly list?: true | undefined }

/** Takes turns of a member back, lists those that can be, or names one. */
export async function undo({ run, member }: Named, options: UndoOptions, host: Host): Promise<ExitCode> {
  const dir = runDirectoryOf(run, options, host)
  const [name = ''] = member.split('@')
  const { document, text } = done(dir, name, options)
  await printEither({ document: { run_dir: dir, member: name, ...document }, text: plainText(text) }, options, host)
  return exitCodes.done
}

function done(dir: string, member: string, { list, to, name }: UndoOptions) {
  if (list === true) {
    const checkpoints = listCheckpoints(dir, member)
    const lines = checkpoints.map(lineOf)
    return { document: { checkpoints }, text: lines.length === 0 ? `${member} has changed no files` : lines.join('\n') }
  }
  if (name !== undefined) {
    const checkpoint = nameCheckpoint(dir, { member, name, at: to })
    return { document: { checkpoint }, text: lineOf(checkpoint) }
  }
  const { checkpoint, restored, sent } = undoMember(dir, { member, to })
  const lines = [
    `${member} is back before ${checkpoint.from}; ${restored.length} files are as they were`,
    ...restored.map((path) => `  ${path}`),
    ...(sent.length === 0 ? [] : ['not taken back, since it was sent:', ...sent.map((each) => `  ${each}`)]),
  ]
  return { document: { checkpoint, restored, sent }, text: lines.join('\n') }
}

function lineOf({ number, name, from, files, untaken }: ListedCheckpoint): string {
  const called = name === null ? '' : ` "${name}"`
  const but = untaken === null ? '' : ` (cannot be taken back: ${untaken})`
  return `${number}${called}  before ${from}: ${files.length === 0 ? 'files unknown' : files.join(', ')}${but}`
}
