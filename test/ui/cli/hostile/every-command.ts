import { main } from '../../../../src/ui/cli/main.ts'
import { fakeHost, Screen } from '../fake-host.ts'
import { hostileWorld } from './hostile-world.ts'
import { leaksIn, orderLine } from './terminal-orders.ts'

function linesIn(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
}

/** Command lines that show what others wrote. `RUN` is the run's id, `ORDER` an order to the terminal, `_` a blank in a word. */
export const commandLines = linesIn(`
check teams/team.yaml
  check teams/wrong.yaml
  check teams/broken.yaml
  run teams/wrong.yaml Go.
  ps
  ps --all
  runs ls
  runs gc --keep 0 --dry-run
  logs
  logs --full
  logs ana@evil
  logs --json
  attach --plain
  replay RUN
  diff RUN RUN
  report --markdown
  report --json
  tasks
  tasks --json
  cost
  model RUN
  mode RUN
  undo RUN ana --list
  undo RUN ana --name ORDER
  undo RUN ana
  mail ls
  mail ls --json
  mail owed
  mail dead
  permissions pending
  permissions pending ana-9-1
  permissions pending ana-9-2
  permissions pending ana-9-3
  permissions pending ana-9-4
  permissions pending ana-9-5
  permissions pending --json
  permissions list
  permissions explain Bash(ls)
  permissions report
  permissions replay RUN
  permissions answer ana-9-1 deny --advice ORDER
  trust --list
  trust
  trust --list
  hooks ls
  hooks test PreToolUse
  import --report
  prompt teams/team.yaml ana --full
  commands ls
  commands show go
  skills ls
  skills check
  skills show evil
  memory import memories
  memory ls
  memory show evil
  tools ls --team teams/team.yaml
  tools describe Bash
  plugin add ./plugin
  plugin ls
  plugin check
  plugin check ./plugin
  models
  models ls
  worktrees ls
  ORDER
  logs ORDER
  tools describe ORDER
  permissions explain ORDER
  permissions answer ORDER allow
  stop RUN
`)

/** Those of them that start other programs. */
export const slowLines = linesIn(`
  tools run Read {"file_path":"words.txt"}
  tools run Bash {"command":"cat_words.txt;exit_3"} --mode bypassPermissions
  mcp list
  mcp test
  mcp tools words
  mcp tools names
  doctor
`)

/**
 * What each command line lets through at a terminal with colours, and in a pipe, which another program may hand on to a
 * terminal; a command that says nothing is named, too.
 */
export async function leaksOf(lines: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const world = await hostileWorld()
  const leaking: Record<string, readonly string[]> = {}
  for (const line of lines) {
    const args = line
      .split(' ')
      .map((word) => word.replace('RUN', world.run).replace('ORDER', orderLine).replaceAll('_', ' '))
    for (const terminal of [{ columns: 120, rows: 40 }, undefined]) {
      const env = { PATH: process.env['PATH'] }
      const host = fakeHost({
        cwd: world.cwd,
        home: world.home,
        policyRoot: '/nowhere',
        env,
        ...(terminal && { terminal }),
      })
      const stdout = new Screen(terminal)
      host.stdin.end()
      await main(args, { ...host, stdout })
      const leaks = [...leaksIn(stdout.text), ...leaksIn(host.stderr.text)]
      if (leaks.length > 0) leaking[`${line} ${terminal ? 'at a terminal' : 'in a pipe'}`] = leaks
      if (stdout.text + host.stderr.text === '') leaking[line] = ['said nothing']
    }
  }
  return leaking
}
