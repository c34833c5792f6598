import { existsSync, globSync } from 'node:fs'
import { createTwoFilesPatch } from 'diff'
import { basename, dirname, join, resolve } from 'node:path'
import { teamTestSchemaDocument } from '../../../runtime/team-files/team-schema.ts'
import { testTeam, type TestedTeam } from '../../../runtime/team-tests/test-team.ts'
import { durationText } from '../../text/figures.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Paint } from '../../text/terminal-text.ts'
import { paintFor } from '../../text/theme.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import {
  noteTo,
  print,
  printEither,
  printJson,
  workingDirectory,
  type Flags,
  type Host,
  type Values,
} from '../host/host.ts'
import { UserError } from '../host/user-error.ts'
import { writeOutput } from '../host/write-output.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { diagnosticsText, shortPath } from '../text/diagnostics-text.ts'
import { junitText } from '../text/junit-text.ts'

export type TestOptions = Flags<'json' | 'trust' | 'schema' | 'update' | 'force'> & Values<'junit' | 'cwd'>

/** Runs tests of teams, one after the other. 0: all hold; 1: an assertion does not; 2: a file has mistakes. */
export async function test(given: readonly string[], options: TestOptions, host: Host): Promise<ExitCode> {
  if (options.schema) {
    await printJson(host.stdout, teamTestSchemaDocument())
    return exitCodes.done
  }
  refuseInCi(options, host)
  const cwd = workingDirectory(options.cwd, host)
  const files = [...new Set((given.length === 0 ? ['.'] : given).flatMap((name) => testFiles(name, cwd, host)))]
  if (files.length === 0) throw new UserError('there is no *.test.yaml here; docs/how-to/test-teams.md shows one')
  const { home, env, policyRoot, now } = host
  const tested: TestedTeam[] = []
  const note = noteTo(host)
  for (const file of files) {
    const one = await testTeam(file, {
      home,
      env,
      policyRoot,
      now,
      trusted: options.trust === true,
      update: options.update === true,
    })
    tested.push(one)
    if (!options.json) await print(host.stdout, `${lineOf(one, cwd, host)}\n${changesOf(one, cwd, host)}`)
    else note(`${one.ok ? 'ok' : 'failed'} ${shortPath(file, cwd)}`)
  }
  if (options.junit !== undefined)
    writeOutput(resolve(cwd, options.junit), junitText(tested, cwd), { option: '--junit' })
  const failed = tested.filter(({ ok }) => !ok).length
  const document = { ok: failed === 0, passed: tested.length - failed, failed, tests: tested }
  await printEither({ document, text: `${tested.length - failed} passed, ${failed} failed` }, options, host)
  if (tested.some(({ broken }) => broken)) return exitCodes.usage
  return failed === 0 ? exitCodes.done : exitCodes.failed
}

/** The tests that a name means: a file, all of a folder, or those beside a team. */
function testFiles(name: string, cwd: string, host: Host): readonly string[] {
  const path = resolve(cwd, name)
  if (/\.test\.ya?ml$/.test(name)) return [path]
  if (existsSync(path) && !/\.ya?ml$/.test(name)) return within(path, '**/*.test.{yaml,yml}')
  const team = teamFileOf(name, host)
  const stem = basename(team).replace(/\.ya?ml$/, '')
  return within(dirname(team), `**/${stem}{,.*}.test.{yaml,yml}`)
}

function within(folder: string, pattern: string): readonly string[] {
  const exclude = (name: string): boolean => name === 'node_modules' || name === '.git' || name === '.troupe'
  return globSync(pattern, { cwd: folder, exclude })
    .map((file) => join(folder, file))
    .toSorted((a, b) => (a < b ? -1 : 1))
}

function lineOf({ file, ok, diagnostics, duration_ms }: TestedTeam, cwd: string, host: Host): string {
  const paint = paintFor(host.stdout, host.env)
  const head = `${ok ? paint('green', 'ok    ') : paint('red', 'failed')} ${shortPath(file, cwd)} ${paint('dim', durationText(duration_ms))}`
  const told = plainText(diagnosticsText(diagnostics, cwd)).replaceAll(/^/gm, '  ')
  return ok ? head : `${head}\n${told}`
}

/** @throws UserError where nobody sees what is written, and answers are paid for */
function refuseInCi({ update, force }: TestOptions, { env }: Host): void {
  if (!update || force || ['', '0', 'false'].includes(env['CI'] ?? '')) return
  throw new UserError(
    '--update asks models and rewrites files, and is not for CI (CI is set); --force does it all the same',
  )
}

/** The files that were written anew, each as a diff. */
function changesOf({ updated }: TestedTeam, cwd: string, host: Host): string {
  const paint = paintFor(host.stdout, host.env)
  const lines = updated.flatMap(({ file, before, after }) => {
    const name = shortPath(file, cwd)
    return createTwoFilesPatch(name, name, before, after).trimEnd().split('\n').slice(1)
  })
  return lines.map((line) => `  ${paintedLine(plainText(line), paint)}\n`).join('')
}

function paintedLine(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line)
  return line.startsWith('-') ? paint('red', line) : line
}
