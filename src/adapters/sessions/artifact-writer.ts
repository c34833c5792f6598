import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limitOutput } from '../process/output-limiter.ts'
import type { Artifact } from './artifacts.ts'
import { unfinishedPrefix } from './write-json.ts'

/** How much of one text is kept: bytes of its beginning, then characters of its end. */
export interface ArtifactBounds {
  readonly head: number
  readonly tail: number
}

const bounds: ArtifactBounds = { head: 62 << 20, tail: 2 << 20 }

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
  readonly #kept: ArtifactBounds
  readonly #hash = createHash('sha256')
  readonly #last
  #file: number | null
  #written = 0
  #behind = 0

  constructor(folder: string, kept: ArtifactBounds = bounds) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    opened += 1
    this.#folder = folder
    this.#unfinished = join(folder, `${unfinishedPrefix}${process.pid}-${opened}`)
    this.#file = openSync(this.#unfinished, 'wx', 0o600)
    this.#kept = kept
    this.#last = limitOutput({ head: 0, tail: kept.tail })
  }

  push(text: string): void {
    if (this.#written < this.#kept.head) {
      this.#add(text)
      return
    }
    this.#last.push(text)
    this.#behind += text.length
  }

  /** Gives it its name. `cut`: characters left out of its middle. */
  end(): Artifact & { readonly cut: number } {
    this.#add(this.#last.text())
    this.#close()
    const sha256 = this.#hash.digest('hex')
    const path = join(this.#folder, sha256)
    renameSync(this.#unfinished, path)
    return { sha256, bytes: this.#written, path, cut: Math.max(0, this.#behind - this.#kept.tail) }
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#close()
    rmSync(this.#unfinished, { force: true })
  }

  #add(text: string): void {
    if (this.#file === null) throw new Error('the artifact has ended')
    const bytes = Buffer.from(text)
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
