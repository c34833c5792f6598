import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastBytes } from '../process/last-bytes.ts'
import { processStart } from '../process/liveness.ts'
import type { Artifact } from './artifacts.ts'
import { unfinishedPrefix } from './write-json.ts'

/** How many bytes of one text are kept, of its beginning and of its end. */
export interface ArtifactBounds {
  readonly head: number
  readonly tail: number
}

const bounds: ArtifactBounds = { head: 62 << 20, tail: 2 << 20 }
const chunkBytes = 1 << 16
const encoder = new TextEncoder()

let opened = 0

/**
 * An artifact whose text comes piece by piece, in bounded memory and on a bounded part of the disk: of a text beyond
 * 64 MiB the middle is left out, and a line in its place says how much. Every method throws what the disk says, and
 * then `discard` is due. It is not forced to the disk: a power cut may lose it, a killed process may not.
 *
 * @example
 * const writer = new ArtifactWriter(run.artifacts)
 * writer.push('first line\n')
 * writer.end().path
 */
export class ArtifactWriter {
  readonly #folder: string
  readonly #unfinished: string
  readonly #head: number
  readonly #last
  readonly #hash = createHash('sha256')
  // Used again for every piece: new memory for each would pile up faster than it is cleared away.
  readonly #chunk = new Uint8Array(chunkBytes)
  #file: number | null
  #written = 0

  constructor(folder: string, { head, tail }: ArtifactBounds = bounds) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    opened += 1
    this.#folder = folder
    this.#unfinished = join(folder, `${unfinishedPrefix}${process.pid}-${opened}`)
    this.#file = openSync(this.#unfinished, 'wx', 0o600)
    this.#head = head
    this.#last = lastBytes(tail)
  }

  push(text: string): void {
    for (let rest = text; rest !== '';) {
      const { read, written } = encoder.encodeInto(rest, this.#chunk)
      const bytes = this.#chunk.subarray(0, written)
      if (this.#written < this.#head) this.#write(bytes)
      else this.#last.push(bytes)
      rest = rest.slice(read)
    }
  }

  /** Gives it its name. `cut`: bytes left out of its middle. */
  end(): Artifact & { readonly cut: number } {
    const { bytes, before } = this.#last.take()
    const whole = before === 0 ? bytes : fromCharacter(bytes)
    const cut = before + bytes.length - whole.length
    if (cut > 0) this.#write(Buffer.from(`\n[… ${cut.toLocaleString('en-US')} bytes cut …]\n`))
    this.#write(whole)
    this.#close()
    const sha256 = this.#hash.digest('hex')
    const path = join(this.#folder, sha256)
    renameSync(this.#unfinished, path)
    return { sha256, bytes: this.#written, path, cut }
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#close()
    rmSync(this.#unfinished, { force: true })
  }

  #write(bytes: Uint8Array): void {
    if (this.#file === null) throw new Error('the artifact has ended')
    writeFileSync(this.#file, bytes)
    this.#hash.update(bytes)
    this.#written += bytes.length
  }

  #close(): void {
    const file = this.#file
    this.#file = null
    if (file !== null) closeSync(file)
  }
}

/** Takes away what killed processes were writing. A number that another process has by now keeps its file. */
export function sweepUnfinished(folder: string): void {
  const unfinished = namesIn(folder).filter((name) => name.startsWith(unfinishedPrefix))
  for (const name of unfinished) {
    const owner = Number.parseInt(name.slice(unfinishedPrefix.length), 10)
    if (owner > 0 && processStart(owner) === null) rmSync(join(folder, name), { force: true })
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is made with the first text.
    return []
  }
}

/** Without the rest of a character whose beginning is missing. */
function fromCharacter(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte >> 6 !== 0b10)
  return start <= 0 ? bytes : bytes.subarray(start)
}
