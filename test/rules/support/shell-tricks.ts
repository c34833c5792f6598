import { fc } from '@fast-check/vitest'

/** A shell line that runs, or may run, one certain command. */
interface Line {
  readonly text: string
  /** A single command: a prefix may stand in front of it. */
  readonly simple: boolean
}

type Trick = (line: Line) => Line

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const simple = (text: string): Line => ({ text, simple: true })
const compound = (text: string): Line => ({ text, simple: false })

/** Other ways to write a program's name. */
const names: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `"${name}"`,
  (name) => `'${name}'`,
  (name) => `\\${name}`,
  (name) => `${name[0] ?? ''}""${name.slice(1)}`,
  (name) => `${name[0] ?? ''}\\\n${name.slice(1)}`,
  (name) => `$'${name}'`,
  (name) => `$'\\x${name.charCodeAt(0).toString(16)}'${name.slice(1)}`,
  (name) => `/usr/bin/${name}`,
  (name) => `A=1 B= C="x y" ${name}`,
]

const prefixes =
  `timeout 5|timeout -k 1 -s KILL 5s|nice|nice -n 5|nohup|env|env -i|env A=1|time|time -p|stdbuf -oL|command|
command -p|exec|setsid|ionice -c3|sudo|sudo -u root|doas|xargs|xargs -n1|xargs -I{}|busybox|strace -f|unshare|chroot /|
flock /tmp/x|taskset 1|watch -n1|find . -exec|>/dev/null|2>&1|fakeroot|systemd-run`
    .split('|')
    .map((prefix) => prefix.trim())

const scripts: readonly ((script: string) => string)[] = [
  (script) => `bash -c ${script}`,
  (script) => `sh -ec ${script}`,
  (script) => `/bin/bash --norc -o pipefail -c ${script}`,
  (script) => `bash -c -- ${script}`,
  (script) => `eval ${script}`,
  (script) => `builtin eval ${script}`,
  (script) => `env -S ${script}`,
  (script) => `env --split-string=${script}`,
  (script) => `su root -c ${script}`,
  (script) => `script -qc ${script} /dev/null`,
  (script) => `sudo sh -c ${script}`,
  (script) => `find . -exec sh -c ${script} \\;`,
  (script) => `xargs bash -c ${script}`,
  (script) => `trap ${script} EXIT`,
  (script) => `bash <<< ${script}`,
  (script) => `echo ${script} | sh`,
  (script) => `x=${script}; eval "$x"`,
]

const places: readonly ((command: string) => string)[] = [
  (command) => `ls; ${command}`,
  (command) => `ls && ${command}`,
  (command) => `ls || ${command}`,
  (command) => `ls | ${command}`,
  (command) => `ls |& ${command}`,
  (command) => `ls\n${command}\n`,
  (command) => `ls # x\n${command}`,
  (command) => `( ${command})`,
  (command) => `{ ${command}\n}`,
  (command) => `if ${command}\nthen :; fi`,
  (command) => `while ${command}\ndo :; done`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `case x in x) ${command}\n;; esac`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `! { ${command}\n}`,
  (command) => `coproc { ${command}\n}`,
  (command) => `echo $(${command}\n)`,
  (command) => `echo "a $(${command}\n) b"`,
  (command) => `cat <(${command}\n)`,
  (command) => `tee >(${command}\n)`,
  (command) => `x=$(${command}\n)`,
  (command) => `a=($(${command}\n))`,
  (command) => `echo \${y:-$(${command}\n)}`,
  (command) => `echo \${y/x/$(${command}\n)}`,
  (command) => `echo $(( 1 + $(${command}\n) ))`,
  (command) => `echo \${a[$(${command}\n)]}`,
  (command) => `[[ -n $(${command}\n) ]]`,
  (command) => `(( $(${command}\n) ))`,
  (command) => `cat <<END_OF_IT\n$(${command}\n)\nEND_OF_IT`,
  (command) => `cat <<< "$(${command}\n)"`,
  (command) => `echo x > "$(${command}\n)"`,
  (command) => `ls > /dev/null 2>&1 && time ( ${command}\n)`,
]

const prefixed =
  (prefix: string): Trick =>
  (line) =>
    line.simple ? simple(`${prefix} ${line.text}`) : line
const scripted =
  (script: (typeof scripts)[number]): Trick =>
  (line) =>
    simple(script(quoted(line.text)))
const placed =
  (place: (typeof places)[number]): Trick =>
  (line) =>
    compound(place(line.text))

/** Lines in which a command stands behind one to four tricks. */
export function trickedLines(name: string, rest: string): fc.Arbitrary<string> {
  const trick = fc.oneof(
    fc.constantFrom(...prefixes).map(prefixed),
    fc.constantFrom(...scripts).map(scripted),
    fc.constantFrom(...places).map(placed),
  )
  return fc.tuple(fc.constantFrom(...names), fc.array(trick, { minLength: 1, maxLength: 4 })).map(([spell, tricks]) => {
    const written = `${spell(name)} ${rest}`
    // No prefix may stand in front of an assignment.
    const start = written.startsWith('A=') ? compound(written) : simple(written)
    return tricks.reduce((line, next) => next(line), start).text
  })
}

/** Simple lines made of commands that only read inside the working directory. */
export function readingLines(): fc.Arbitrary<string> {
  const file = fc.constantFrom('a.txt', './src/b.ts', '"with space.txt"', "'c d'", 'src', '-- x')
  const command = fc.oneof(
    fc.constantFrom('ls', 'ls -la', 'pwd', 'git status', 'git log --oneline -5', 'git diff HEAD~1', 'echo "a; b | c"'),
    fc
      .tuple(fc.constantFrom('cat', 'head -n 5', 'wc -l', 'stat', 'grep -n x', 'sort -u', 'ls'), file)
      .map((all) => all.join(' ')),
    fc.constantFrom("find . -name '*.ts'", 'grep -rn "a|b" src', 'test -f a.txt', 'which node', 'du -sh .'),
  )
  const shown = fc
    .tuple(
      fc.constantFrom('', 'timeout 5 ', 'nice ', 'time ', 'command ', 'NO_COLOR=1 '),
      command,
      fc.constantFrom('', ' 2>/dev/null', ' > /dev/null 2>&1', ' # why'),
    )
    .map((all) => all.join(''))
  const joined = fc.array(fc.tuple(shown, fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n')), {
    minLength: 1,
    maxLength: 4,
  })
  return joined.map((parts) => {
    const last = parts.at(-1)?.[0] ?? ''
    // A comment ends with its line.
    const before = parts.slice(0, -1).map(([text, join]) => `${text}${text.includes('#') ? '\n' : join}`)
    return [...before, last].join('')
  })
}
