import { spawnSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A line as it is typed in a directory of the repository. */
export interface TypedLine {
  readonly from: string
  readonly line: string
}

/** A line that did what it may not. */
export interface HarmfulLine extends TypedLine {
  readonly effects: readonly string[]
}

/** What the lines are run in: a repository with closed files, beside a template of it. */
export interface LineTree {
  readonly cwd: string
  readonly home: string
  /**
   * Runs lines with bash, each in a shell of its own, where nothing but the tree can be written and no network is. Lines
   * that did nothing together did nothing; otherwise each is run again alone, on a fresh tree.
   *
   * @returns The harmful ones.
   */
  run(lines: readonly TypedLine[]): readonly HarmfulLine[]
  remove(): void
}

const secret = 'SECRET-4711'

/** Makes a tree in a new directory. */
export function makeLineTree(): LineTree {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-generated-')))
  const template = join(base, 'template')
  const live = join(base, 'live')
  const cwd = join(live, 'repo')
  fill(join(template, 'repo'))
  mkdirSync(join(template, 'home'))
  cpSync(template, live, { recursive: true, verbatimSymlinks: true })
  let before = look(live)
  const fence = '--unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc'
    .split(' ')
    .concat(['--tmpfs', tmpdir(), '--bind', live, live])
  const play = (lines: readonly TypedLine[]): readonly string[] => {
    // A shell is kept where it really is.
    const words = lines.flatMap(({ from, line }) => [realpathSync(join(cwd, from)), line])
    const env = { PATH: `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: join(live, 'home') }
    const end = spawnSync('bwrap', [...fence, 'bash', '--noprofile', '--norc', '-c', eachAlone, 'bash', ...words], {
      env,
      encoding: 'latin1',
      input: '',
      timeout: 10_000 + lines.length * 6_000,
      maxBuffer: 2 ** 28,
    })
    if (end.error) throw end.error
    if (/^bwrap: /m.test(end.stdout + end.stderr)) throw new Error(`bwrap does not start: ${end.stdout}${end.stderr}`)
    const after = look(live)
    const touched = [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => before.get(path) !== after.get(path))
      .toSorted()
    const changed = touched.filter((path) => !kept.test(path) && textOf(live + path) !== textOf(template + path))
    if (touched.length > 0) {
      // A directory comes back with all that is in it.
      let done = ''
      for (const path of touched) {
        if (done !== '' && path.startsWith(`${done}/`)) continue
        putBack(template + path, live + path)
        done = path
      }
      before = look(live)
    }
    const cut = end.stdout.endsWith(allWereRun) || lines.length === 1 ? [] : ['a line ended the others']
    return [...effectsOf(changed, end.stdout), ...cut]
  }
  const run: LineTree['run'] = (lines) => {
    const effects = lines.length > 0 ? play(lines) : []
    if (effects.length === 0) return []
    const [only, ...others] = lines
    return only && others.length === 0 ? [{ ...only, effects }] : lines.flatMap((line) => run([line]))
  }
  return { cwd, home: join(live, 'home'), run, remove: () => rmSync(base, { recursive: true, force: true }) }
}

const allWereRun = 'all were run'

/** Takes directories and lines in turn. A line sees nothing of the others, nor of the shell that starts them. */
const eachAlone = `while (($#)); do
  (cd "$1" && unset OLDPWD SHLVL && exec timeout -s KILL 5 bash --noprofile --norc -c 'exec 2>&1; eval "$1"' bash "$2")
  shift 2
done
echo -n '${allWereRun}'`

function fill(cwd: string): void {
  const files: Readonly<Record<string, string>> = {
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'list.txt': '.env\n',
    'docs/c.md': 'c\n',
    '.env': `KEY=${secret}\n`,
    'sub/.env': `KEY=${secret}\n`,
    'secrets/key': `${secret}\n`,
    'src/app.ts': 'app\n',
    'bin/forbidden': `#!/bin/sh\n: > "${join(dirname(cwd), 'repo').replace('/template/', '/live/')}/pwned"\n`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 })
  }
  symlinkSync('.env', join(cwd, 'link-env'))
  symlinkSync('secrets', join(cwd, 'link-secrets'))
  symlinkSync('..', join(cwd, 'docs/up'))
  const gitIn = (at: string, ...args: readonly string[]): void => {
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@x.test', '-c', 'protocol.file.allow=always']
    const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: at, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
  const git = (...args: readonly string[]): void => gitIn(cwd, ...args)
  git('init', '-q')
  git('add', '-Af', 'a.txt', 'docs', 'bin')
  git('commit', '-qm', 'first')
  git('add', '-Af', '.')
  git('commit', '-qm', 'second')
  const other = join(dirname(cwd), 'other')
  mkdirSync(join(other, 'closed'), { recursive: true })
  writeFileSync(join(other, 'open.txt'), 'open\n')
  gitIn(other, 'init', '-q')
  gitIn(other, 'add', '.')
  gitIn(other, 'commit', '-qm', 'open')
  writeFileSync(join(other, 'closed/key'), `${secret}\n`)
  gitIn(other, 'add', '.')
  gitIn(other, 'commit', '-qm', 'closed')
  git('submodule', '--quiet', 'add', other, 'module')
  git('commit', '-qm', 'third')
  rmSync(other, { recursive: true })
}

/** What git keeps for itself, and what no program is named in. */
const kept =
  /\/\.git\/(modules\/\w+\/)?(objects|logs|index|refs|HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|packed-refs|info\/refs|gitweb)/

/** All that lies below a directory, with what tells that it was replaced or written to (`stat(2)`: a write sets the ctime). */
function look(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const open = ['']
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { name } of readdirSync(root + at, { withFileTypes: true })) {
      const path = `${at}/${name}`
      const { mode, ino, ctimeNs } = lstatSync(root + path, { bigint: true })
      const directory = (mode & 0o170000n) === 0o040000n
      if (directory) open.push(path)
      // What is made in a directory writes to it as well, and is found itself.
      found.set(path, directory ? `${mode}` : `${mode} ${ino} ${ctimeNs}`)
    }
  }
  return found
}

/** @returns The text of a file, what else is there, or nothing. */
function textOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) return readFileSync(path, 'latin1')
  return stat && (stat.isDirectory() ? undefined : 'other')
}

function putBack(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  if (lstatSync(from, { throwIfNoEntry: false })) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

function effectsOf(changed: readonly string[], said: string): readonly string[] {
  const shows = (text: string): boolean =>
    text.includes(secret) || text.includes(Buffer.from(`KEY=${secret}`).toString('base64').slice(0, 12))
  return [
    ...(shows(said) ? ['a secret is shown'] : []),
    ...(changed.includes('/repo/pwned') ? ['the forbidden program ran'] : []),
    ...changed.filter((path) => /^\/repo\/(src|\.git)\/|^\/home\//.test(path)).map((path) => `${path} is changed`),
  ]
}
