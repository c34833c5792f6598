import type { FileTrouble, OpenFile } from '../../../protocol/tools/filesystem.ts'
import type { ToolContext, TouchedFile } from '../../../protocol/tools/tool.ts'
import { contentHash, hashOfRest } from '../../fs/content-hash.ts'
import { rememberFile, whyNotYet, whyUnseen } from './known-files.ts'

/** A file as it is before a change. */
export interface CurrentFile {
  readonly path: string
  /** Null when there is no such file. */
  readonly hash: string | null
  /** The file's text; null for a missing file and for one that is no text. */
  readonly text: string | null
  /** Why it cannot be changed as text; it may be replaced as a whole. */
  readonly unfit?: string
}

type Files = Pick<ToolContext, 'files' | 'led' | 'memory' | 'writers'>

/**
 * The file at a path, or the reason why the member may not change it: the member must have seen its present content.
 */
export async function currentFile(context: Files, path: string): Promise<CurrentFile | FileTrouble> {
  const opened = await context.files.open(path, context.led?.get(path))
  if ('trouble' in opened) return opened.why === 'absent' ? { path, hash: null, text: null } : opened
  try {
    const unseen = whyUnseen(context, path, opened.real)
    if (unseen !== null) return { trouble: unseen, why: 'changed' }
    const whole = await readText(opened, path)
    const unfit = 'unfit' in whole
    const hash = unfit ? await hashOfRest(opened) : contentHash(whole.bytes)
    const objection = whyNotYet(context, path, { real: opened.real, hash, bytes: unfit ? undefined : whole.bytes })
    if (objection !== null) return { trouble: objection, why: 'changed' }
    return { path, hash, ...(unfit ? { text: null, unfit: whole.unfit } : { text: whole.text }) }
  } finally {
    await opened.close()
  }
}

/** Puts a new content in the place of the current one. */
export async function putFile(
  context: Files,
  current: CurrentFile,
  content: string,
): Promise<TouchedFile | FileTrouble> {
  const { path, hash } = current
  const put = await context.files.replace(path, { content, before: hash, led: context.led?.get(path) })
  if ('trouble' in put) return put
  rememberFile(context, { ...put, bytes: Buffer.from(content) })
  return { path: put.real, sha256: put.hash, wrote: true }
}

const maxBytes = 64 << 20

/** A whole text with its bytes, or in words why it cannot be had as text. */
type WholeText = { readonly text: string; readonly bytes: Uint8Array } | { readonly unfit: string }

/**
 * Reads a whole file as UTF-8, byte order mark included, so that writing the text back changes nothing.
 * What is not valid UTF-8 is refused: rewriting it would damage it.
 *
 * @example await readText(opened, '/project/a.txt') // { text: 'hello\n', bytes }
 */
async function readText(opened: OpenFile, path: string): Promise<WholeText> {
  if (opened.size > maxBytes) return { unfit: `${path} is larger than 64 MiB; change it with Bash.` }
  const bytes = await opened.bytes()
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), bytes }
  } catch {
    return { unfit: `${path} is not valid UTF-8 text; changing it as text would damage it.` }
  }
}
