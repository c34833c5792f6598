import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../process/run-command.ts'

/*
 * The file to which a hook writes `export` lines for the commands that follow (`CLAUDE_ENV_FILE`).
 * Owns the file. The lines are a script of the hook, which a person trusted: a shell reads them once, and the variables that
 * are another afterwards are what the hook exported.
 */

type Variables = Readonly<Record<string, string>>

/** An empty file for one run of a hook. */
export interface EnvFile {
  readonly path: string
  /**
   * Reads what the hook wrote.
   * @param env the variables that the lines may build upon
   */
  exported(env: Variables): Promise<Variables>
  remove(): void
}

/** Variables of the shell itself, and those that would change every shell, or speak of Troupe. */
const own = /^(_|SHLVL|PWD|OLDPWD|BASH_ENV|ENV|CLAUDE_ENV_FILE|TROUPE_\w*)$/
const patienceMs = 30_000

/** `openEnvFile().path`: a new file, closed to other users. */
export function openEnvFile(): EnvFile {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-env-'))
  const path = join(dir, 'exports.sh')
  writeFileSync(path, '', { mode: 0o600 })
  return {
    path,
    async exported(env) {
      if (readFileSync(path, 'utf8').trim() === '') return {}
      const said: string[] = []
      await runCommand(['/bin/bash', '--norc', '-c', '. "$1" >/dev/null 2>&1; exec env -0', 'bash', path], {
        cwd: dir,
        env,
        signal: new AbortController().signal,
        timeoutMs: patienceMs,
        onOutput: (text) => said.push(text),
      })
      const lines = said.join('').split('\0')
      return Object.fromEntries(lines.flatMap((line) => changed(line, env)))
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

function changed(line: string, env: Variables): readonly (readonly [string, string])[] {
  const at = line.indexOf('=')
  const [name, value] = [line.slice(0, at), line.slice(at + 1)]
  return at < 1 || own.test(name) || env[name] === value ? [] : [[name, value]]
}
