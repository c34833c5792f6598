import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { bareEnv } from '../support/bare-env.ts'

/** A small git repository with an empty home, where `troupe` and `npx troupe` are this checkout. */
export interface Workbench {
  readonly dir: string
  sh(script: string): Promise<{ readonly exitCode: number | undefined; readonly all: string }>
  remove(): void
}

const entry = resolve('src/ui/cli/bin.ts')

export function openWorkbench(): Workbench {
  const root = mkdtempSync(join(tmpdir(), 'troupe-docs-'))
  const [dir, home, bin] = ['work', 'home', 'bin'].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [dir, home, bin]) mkdirSync(folder)
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  program(join(bin, 'troupe'), `exec "${process.execPath}" "${entry}" "$@"`)
  program(join(bin, 'npx'), 'exec "$@"')
  const env = {
    ...bareEnv,
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  }
  fill(dir, env)
  return {
    dir,
    async sh(script) {
      const options = { cwd: dir, env, extendEnv: false, all: true, reject: false, stdin: 'ignore' } as const
      const { exitCode, all } = await execa('bash', ['-euo', 'pipefail', '-c', script], options)
      return { exitCode, all }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function program(file: string, line: string): void {
  writeFileSync(file, `#!/bin/sh\n${line}\n`)
  chmodSync(file, 0o755)
}

/** What the snippets speak of: the teams that ship, a little source, a task file, one commit. */
function fill(dir: string, env: Readonly<Record<string, string>>): void {
  mkdirSync(join(dir, 'src'))
  cpSync('teams', join(dir, 'teams'), { recursive: true })
  writeFileSync(join(dir, 'src/hello.ts'), `export const hello = 'hello'\n`)
  writeFileSync(join(dir, 'task.md'), 'Review the last commit.\n')
  writeFileSync(join(dir, 'call.json'), '{ "tool_name": "Bash", "tool_input": { "command": "ls" } }\n')
  const identity = ['-c', 'user.name=A Reader', '-c', 'user.email=reader@example.com', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]): unknown =>
    execFileSync('git', [...identity, ...args], { cwd: dir, env, stdio: 'ignore' })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'Say hello')
}
