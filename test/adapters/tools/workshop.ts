import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { afterEach, beforeEach } from 'vitest'
import type { Tool, ToolContext, ToolOutput } from '../../../src/protocol/tools/tool.ts'
import { localFiles } from '../../../src/adapters/fs/local-files.ts'
import { describeCall } from '../../../src/adapters/tools/describe-call.ts'
import { endJobs } from '../../../src/adapters/tools/shell/member-jobs.ts'
import { read } from '../../../src/adapters/tools/files/read.ts'
import { runCall } from '../../../src/adapters/tools/define/run-call.ts'

/** A temporary directory and one member's memory per test, and what a tool needs to run in it. */
export interface Workshop {
  readonly dir: string
  path(name: string): string
  write(name: string, content: string | Buffer): string
  read(name: string): string
  /** Writes a file and reads it as the member does, so that it may change it. */
  known(name: string, content: string | Buffer): Promise<string>
  /** Makes a named pipe that nobody writes to. */
  pipe(name: string): void
  context(more?: Partial<ToolContext>): ToolContext
  /** Describes and runs a call as a turn does; a refusal or a complaint of the check is an error output. */
  call(tool: Tool, input: unknown, context?: ToolContext): Promise<Said>
}

export interface Said {
  readonly text: string
  readonly isError: boolean
}

/** Sets the directory up before each test of the file and removes it afterwards. */
export function workshop(): Workshop {
  let dir = ''
  let memory = new Map<string, unknown>()
  beforeEach(() => {
    memory = new Map()
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-tools-')))
  })
  afterEach(async () => {
    await endJobs(memory)
    rmSync(dir, { recursive: true, force: true })
  })

  const shop: Workshop = {
    get dir() {
      return dir
    },
    path: (name) => join(dir, name),
    write(name, content) {
      const path = join(dir, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    async known(name, content) {
      const path = shop.write(name, content)
      await shop.call(read, { file_path: path })
      return path
    },
    read: (name) => readFileSync(join(dir, name), 'utf8'),
    pipe: (name) => void execFileSync('bash', ['-c', 'mkfifo "$0"', join(dir, name)]),
    context: (more = {}) => ({
      cwd: dir,
      home: join(dir, 'home'),
      callId: 'call-1',
      signal: new AbortController().signal,
      progress: () => undefined,
      env: { PATH: env['PATH'] ?? '/usr/bin:/bin', HOME: join(dir, 'home') },
      memory,
      files: localFiles,
      ...more,
    }),
    async call(tool, input, context = shop.context()) {
      const described = describeCall(new Map([[tool.name, tool]]))({
        type: 'tool_use',
        id: 'call-1',
        name: tool.name,
        input,
      })
      const complaint = described.refusal ?? (await tool.check(described.input, context))
      if (complaint !== null) return { text: complaint, isError: true }
      return said(await runCall(tool, described.input, context))
    },
  }
  return shop
}

/** The text of an output, and whether it is an error. */
export function said(output: ToolOutput): Said {
  const text = output.content.map((block) => (block.type === 'text' ? block.text : `<${block.media_type}>`)).join('')
  return { text, isError: output.isError ?? false }
}
