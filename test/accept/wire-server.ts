import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { openModel, type OpenModelOptions } from '../../src/adapters/models/catalog.ts'
import type { Model } from '../../src/protocol/models/model.ts'

/** Where the recorded wires lie, beside the project. */
export const wireDir = resolve(import.meta.dirname, '../../../shared/accept/wire')
export const isThere = existsSync(join(wireDir, 'server.mjs'))

export interface WireServer {
  readonly port: number
  stop(): void
}

/** Starts the server of recorded answers on a free port. */
export async function startWireServer(): Promise<WireServer> {
  const child = spawn(process.execPath, [join(wireDir, 'server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { port } = JSON.parse(line.toString()) as { port: number }
  return { port, stop: () => child.kill() }
}

/** The model of ours that speaks the wire which the transcript (`anthropic/v-text`, `http/openai-401`) was taken from. */
export function modelFor(
  transcript: string,
  port: number,
  patience: OpenModelOptions['patience'] = {},
): Promise<Model> {
  const root = `http://127.0.0.1:${port}`
  const env = {
    ANTHROPIC_API_KEY: 'test-key-anthropic',
    OPENAI_API_KEY: 'test-key-openai',
    ANTHROPIC_BASE_URL: root,
    OPENAI_BASE_URL: `${root}/v1`,
    OPENAI_COMPATIBLE_BASE_URL: `${root}/v1`,
  }
  return openModel(`${providerOf(transcript)}/wire:${transcript}`, { baseDir: '.', env, patience })
}

function providerOf(transcript: string): string {
  if (/^(http\/)?anthropic/.test(transcript)) return 'anthropic'
  return transcript.startsWith('openai-chat/') ? 'openai-compatible' : 'openai'
}

export function readJson(...path: readonly string[]): unknown {
  return JSON.parse(readFileSync(join(wireDir, ...path), 'utf8'))
}
