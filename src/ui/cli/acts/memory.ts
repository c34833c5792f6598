import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import type { Memory, MemoryProblem, MemoryScope } from '../../../protocol/memory/memory.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import {
  changeMemory,
  claudeMemories,
  findMemory,
  findMemoryFile,
  forgetMemory,
  importMemories,
  listMemories,
  memoryText,
  type MemoryFile,
} from '../../../runtime/memory/persons-memory.ts'
import { plainText } from '../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { noteTo, printEither, printJson, workingDirectory, type Flags, type Host, type Values } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'
import { printList } from '../text/table.ts'

type MemoryOptions = Values<'cwd'> & Values<'scope', MemoryScope>

/** Lists memories, and says which files are none. */
export async function memoryLs(options: MemoryOptions & Flags<'json'>, host: Host): Promise<ExitCode> {
  const { memories, problems } = await listMemories(placeOf(options, host), options.scope)
  if (options.json) {
    await printJson(host.stdout, { memories, problems })
    return exitCodes.done
  }
  tellProblems(problems, host)
  const row = ({ name, kind, scope, date, source, description }: Memory) => [
    name,
    kind,
    scope,
    date,
    source.member ?? source.by,
    description,
  ]
  const head = ['NAME', 'KIND', 'SCOPE', 'DATE', 'FROM', 'WHAT']
  return printList({ items: memories, head, row, none: 'No memories.', isCut: true }, {}, host)
}

function tellProblems(problems: readonly MemoryProblem[], host: Host): void {
  for (const { file, reason } of problems) noteTo(host)(`warning: ${file} is left out: ${reason}`)
}

/** Prints one memory. */
export async function memoryShow(name: string, options: MemoryOptions & Flags<'json'>, host: Host): Promise<ExitCode> {
  const memory = asUser(() => findMemory(placeOf(options, host), name, options.scope))
  await printEither({ document: memory, text: plainText(memoryText(memory)).trimEnd() }, options, host)
  return exitCodes.done
}

/** Changes a memory: in an editor, or to the text of a file. */
export async function memoryEdit(name: string, options: MemoryOptions & Values<'file'>, host: Host): Promise<ExitCode> {
  const memory = foundFile(name, options, host)
  const before = asUser(() => memoryText(memory))
  if (options.file !== undefined) {
    const text = options.file === '-' ? await readAll(host.stdin) : given(resolve(host.cwd, options.file))
    await put(memory, { before, text })
  } else await putEdited(memory, before, host)
  noteTo(host)(`${name} is changed`)
  return exitCodes.done
}

function given(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${errorText(error)}`)
  }
}

/** A text that is refused stays where the person wrote it. */
async function putEdited(memory: MemoryFile, before: string, host: Host): Promise<void> {
  const editor = host.env['VISUAL'] ?? host.env['EDITOR']
  if (!editor) throw new UserError('no editor is known: set EDITOR, or give the new text with --file')
  const folder = mkdtempSync(join(tmpdir(), 'troupe-memory-'))
  const draft = join(folder, `${memory.name}.md`)
  writeFileSync(draft, before)
  const { status } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', draft], { stdio: 'inherit', env: host.env })
  if (status !== 0) throw new UserError(`${editor} ended with ${status}; nothing is changed`)
  await put(memory, { before, text: readFileSync(draft, 'utf8') }, `; your text is in ${draft}`)
  rmSync(folder, { recursive: true })
}

async function put(memory: MemoryFile, change: { before: string; text: string }, where = ''): Promise<void> {
  try {
    await changeMemory(memory, change)
  } catch (error) {
    throw new UserError(`${memory.name} stays as it is: ${errorText(error)}${where}`)
  }
}

/** Takes memories away: all of them, or none where a name is not known. */
export async function memoryForget(names: readonly string[], options: MemoryOptions, host: Host): Promise<ExitCode> {
  for (const memory of names.map((name) => foundFile(name, options, host))) {
    await forgetMemory(memory)
    noteTo(host)(`${memory.name} (${memory.scope}) is forgotten`)
  }
  return exitCodes.done
}

/** Takes over memories of other programs. */
export async function memoryImport(
  path: string | undefined,
  options: Values<'cwd'> & { readonly scope: MemoryScope } & Flags<'json'>,
  host: Host,
): Promise<ExitCode> {
  const place = placeOf(options, host)
  const from = path === undefined ? claudeMemories(place) : resolve(host.cwd, path)
  if (!existsSync(from)) throw new UserError(`there is nothing at ${from} to import; name a file or a folder`)
  const outcome = await importMemories(place, from, options.scope)
  const { added, known, problems } = outcome
  if (!options.json) tellProblems(problems, host)
  const text = `${added.length} imported, ${known.length} known already, ${problems.length} left out`
  await printEither({ document: outcome, text }, options, host)
  return problems.length > 0 && added.length + known.length === 0 ? exitCodes.failed : exitCodes.done
}

function foundFile(name: string, options: MemoryOptions, host: Host): MemoryFile {
  return asUser(() => findMemoryFile(placeOf(options, host), name, options.scope))
}

/** Tells a failure as a mistake that the person can mend. */
function asUser<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw new UserError(errorText(error))
  }
}

function placeOf({ cwd }: Values<'cwd'>, host: Host) {
  return { cwd: workingDirectory(cwd, host), home: host.home }
}
