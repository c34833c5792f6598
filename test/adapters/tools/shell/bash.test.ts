import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { env, execPath } from 'node:process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { processStart } from '../../../../src/adapters/process/liveness.ts'
import { textStore } from '../../../../src/adapters/sessions/text-store.ts'
import { bashOutput } from '../../../../src/adapters/tools/shell/bash-output.ts'
import { bash } from '../../../../src/adapters/tools/shell/bash.ts'
import { endJobs, jobById } from '../../../../src/adapters/tools/shell/member-jobs.ts'
import { runCall } from '../../../../src/adapters/tools/define/run-call.ts'
import { currentDirectory } from '../../../../src/adapters/tools/shell/shell.ts'
import { said, workshop } from '../workshop.ts'

const shop = workshop()
const run = (command: string, context = shop.context()) => shop.call(bash, { command }, context)

const isAlive = (pid: number): boolean => processStart(pid) !== null

describe('what a command answers', () => {
  test('output and errors in the order in which they were printed', async () => {
    const script = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done'
    expect(await run(script)).toEqual({ text: 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3', isError: false })
  })

  test('a non-zero exit is no error of the tool, it stands in the last line', async () => {
    expect(await run('echo hello; exit 3')).toEqual({ text: 'hello\n[exit 3]', isError: false })
    expect(await run('false')).toEqual({ text: '[exit 1]', isError: false })
    expect(await run('true')).toEqual({ text: '[no output]', isError: false })
  })

  test('mistakes come with bash’s own words and lines', async () => {
    expect((await run('echo one\nno-such-command')).text).toBe(
      'one\nbash: line 2: no-such-command: command not found\n[exit 127]',
    )
    const broken = (await run('echo one (')).text
    expect(broken).toContain('syntax error')
    expect(broken).toMatch(/\[exit [12]\]$/)
  })

  test.skipIf(!existsSync('/proc/self/oom_score_adj'))('memory that runs out takes a command first', async () => {
    const { text } = await run('cat /proc/self/oom_score_adj /proc/$PPID/oom_score_adj; type go_first')
    const [own, parent, rest] = text.split('\n')
    expect(Number(own)).toBeGreaterThan(Number(parent))
    expect(rest).toContain('go_first: not found')
  })

  test('a command that dies of a signal is an error', async () => {
    expect(await run('echo last words; kill -9 $$')).toEqual({ text: 'last words\n[ended by SIGKILL]', isError: true })
  })

  test('quotes, here-documents and many lines arrive as written', async () => {
    const script = `cat <<'END'\n$HOME "a" 'b' \\\nEND\nprintf '%s|' "two  words" '' "it's"`
    expect((await run(script)).text).toBe(`$HOME "a" 'b' \\\ntwo  words||it's|`)
  })

  test('long output keeps its beginning and more of its end', async () => {
    const { text } = await run('seq 1 100000; exit 9')
    expect(text.length).toBeLessThanOrEqual(30_000)
    expect(text).toMatch(/^1\n2\n.*\[… [\d,]+ characters cut …\].*\n100000\n\[exit 9\]$/s)
  })
})

describe('more output than is shown', () => {
  const keeping = () => shop.context({ store: textStore(shop.path('artifacts')) })

  test('is put aside whole, and the result names where it is and how the command ended', async () => {
    const output = await runCall(bash, { command: 'seq 1 100000; echo last >&2; exit 9' }, keeping())
    const { text } = said(output)
    const whole = `${Array.from({ length: 100_000 }, (_, i) => i + 1).join('\n')}\nlast\n`
    expect(text).toMatch(
      /^1\n2\n.*\n100000\nlast\n+\[This is the beginning and the end\. All 588,900 characters .*\]\n\[exit 9\]$/s,
    )
    expect(text.length).toBeLessThan(8_500)
    expect(output.stored).toEqual({ sha256: createHash('sha256').update(whole).digest('hex'), chars: whole.length })
    expect(shop.read(`artifacts/${output.stored?.sha256}`)).toBe(whole)
  })

  test('of a command that was stopped is put aside as far as it came', async () => {
    const control = new AbortController()
    const progress = (text: string): void => {
      if (text.includes('20000')) control.abort()
    }
    const context = { ...keeping(), signal: control.signal, progress }
    const output = await runCall(bash, { command: 'seq 1 20000; exec sleep 300' }, context)
    expect(said(output).text).toMatch(/\[interrupted, with everything it had started\]$/)
    expect(shop.read(`artifacts/${output.stored?.sha256}`)).toMatch(/^1\n2\n.*\n20000\n$/s)
  })

  test('of a command in the background too', async () => {
    const context = keeping()
    await runCall(bash, { command: 'seq 1 20000', run_in_background: true }, context)
    const job = jobById(context.memory, 'bash_1')
    await expect.poll(() => 'ended' in job && job.ended()).not.toBeNull()
    const output = await runCall(bashOutput, { bash_id: 'bash_1' }, context)
    expect(said(output).text).toMatch(/^1\n2\n.*\n20000\n+\[This is .*\]\n\[bash_1 has ended\]$/s)
    expect(shop.read(`artifacts/${output.stored?.sha256}`)).toMatch(/^1\n2\n.*\n20000\n$/s)
  })

  test('that nobody looked at leaves nothing behind when the member’s life ends', async () => {
    const context = keeping()
    await runCall(bash, { command: 'seq 1 20000; exec sleep 300', run_in_background: true }, context)
    await expect.poll(() => existsSync(shop.path('artifacts'))).toBe(true)
    await endJobs(context.memory)
    expect(readdirSync(shop.path('artifacts'))).toEqual([])
  })
})

describe('the surroundings of a command', () => {
  test('the environment is the given one, start-up files are not read', async () => {
    shop.write('startup', 'echo from a start-up file')
    shop.write('home/.bashrc', 'echo from bashrc')
    shop.write('home/.profile', 'echo from profile')
    const context = shop.context()
    const given = { ...context.env, BASH_ENV: shop.path('startup'), GIVEN: 'yes' }
    expect((await run('echo "$GIVEN[$SECRET]$BASH_ENV"', { ...context, env: given })).text).toBe('yes[]')
  })

  test('git takes no lock for a line that only reads', async () => {
    expect((await run('echo "$GIT_OPTIONAL_LOCKS"')).text).toBe('0')
    expect((await run('echo "$GIT_OPTIONAL_LOCKS" | tee x')).text).toBe('[no output]')
  })

  test('its own setting stands behind those that git gets already', async () => {
    const { env } = shop.context()
    const given = { ...env, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Ann' }
    const { text } = await run('git config user.name; git config diff.autoRefreshIndex', shop.context({ env: given }))
    expect(text).toBe('Ann\nfalse')
  })

  test.each([
    'git status',
    'timeout 5 git status',
    'nice git status',
    'command git diff',
    'git diff HEAD',
    'git diff --stat | cat',
  ])('the index of git stays as it is under %s', async (line) => {
    shop.write('a.txt', 'a')
    await run('git init -q && git add . && git -c user.name=x -c user.email=x@x.test commit -qm x')
    const index = shop.path('.git/index')
    const look = () => ({ bytes: readFileSync(index, 'hex'), at: statSync(index, { bigint: true }).mtimeNs })
    // Git looks into a file whose time is another one than the index says.
    utimesSync(shop.path('a.txt'), 1, 1)
    const before = look()
    expect((await run(line)).text).not.toMatch(/exit|fatal/)
    expect(look()).toEqual(before)
  })

  test('there is no input to wait for and no terminal', async () => {
    expect((await run('read x; echo "read $?"; test -t 1 || echo "no terminal"')).text).toBe('read 1\nno terminal')
  })

  test('progress is told while the command runs', async () => {
    const heard: string[] = []
    const control = new AbortController()
    const context = shop.context({
      signal: control.signal,
      progress(text) {
        heard.push(text)
        if (text.includes('second')) control.abort()
      },
    })
    const { text } = await run('echo first; echo second; exec sleep 300', context)
    expect(heard.join('')).toBe('first\nsecond\n')
    expect(text).toBe('first\nsecond\n[interrupted, with everything it had started]')
  })

  test('descriptor 3 is free for the command', async () => {
    expect((await run('exec 3>own; echo mine >&3; cd /; cat "$OLDPWD/own"')).text).toBe('mine')
  })
})

describe('the directory', () => {
  test('is kept from call to call, also when the command fails', async () => {
    mkdirSync(shop.path('sub'))
    const context = shop.context()
    expect(currentDirectory(context)).toBe(shop.dir)
    await run('cd sub; exit 4', context)
    expect(currentDirectory(context)).toBe(shop.path('sub'))
    expect((await run('pwd', context)).text).toBe(shop.path('sub'))
  })

  test('belongs to one member', async () => {
    mkdirSync(shop.path('sub'))
    await run('cd sub', shop.context({ memory: new Map() }))
    expect((await run('pwd')).text).toBe(shop.dir)
  })

  test('a change in a subshell does not count', async () => {
    const context = shop.context()
    await run('(cd /)', context)
    expect(currentDirectory(context)).toBe(shop.dir)
  })

  test('falls back to the working directory, with a word, when it is gone', async () => {
    mkdirSync(shop.path('sub'))
    const context = shop.context()
    await run('cd sub', context)
    rmSync(shop.path('sub'), { recursive: true })
    expect((await run('pwd', context)).text).toBe(
      `[${shop.path('sub')} is gone: the command ran in ${shop.dir}]\n${shop.dir}`,
    )
    expect((await run('pwd', context)).text).toBe(shop.dir)
  })

  test('a working directory that does not exist is an error', async () => {
    const output = await run('pwd', shop.context({ cwd: shop.path('gone') }))
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('does not exist any more') as string })
  })
})

describe('the end of a command', () => {
  test('a time limit ends it and everything it started', async () => {
    const command = 'sleep 300 & echo $! > pid; echo started; wait'
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const progress = (): void => void vi.advanceTimersByTime(2_000).useRealTimers()
    const output = await shop.call(bash, { command, timeout: 2_000 }, shop.context({ progress }))
    expect(output).toEqual({ text: 'started\n[stopped after 2 s, with everything it had started]', isError: true })
    const pid = Number(shop.read('pid'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('an abort ends a grandchild', async () => {
    const control = new AbortController()
    const context = shop.context({ signal: control.signal, progress: () => control.abort() })
    await run('bash -c "sleep 300 & echo \\$! > pid; echo started; wait"', context)
    const pid = Number(shop.read('pid'))
    expect(pid).toBeGreaterThan(1)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('nothing is left running in the background', async () => {
    expect((await run('sleep 300 & echo $! > pid')).text).toBe('[no output]')
    const pid = Number(shop.read('pid'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('a time limit out of range is refused', async () => {
    for (const timeout of [0, 600_001, 1.5]) {
      expect((await shop.call(bash, { command: 'true', timeout })).text).toMatch(/^InputValidationError: .*timeout/s)
    }
  })
})

test('a flood of output is cut in bounded memory', () => {
  const said = execFileSync(execPath, ['bench/tools.ts', 'flood', '256'], { encoding: 'utf8' })
  const grown = Number(/(\d+) MiB more at the peak/.exec(said)?.[1] ?? Infinity)
  expect(grown).toBeLessThan(64)
})

test('the environment of this process does not leak', async () => {
  const name = Object.keys(env).find((key) => !['PATH', 'HOME', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(key)) ?? 'NODE'
  expect((await run(`printenv ${name}`)).text).toBe('[exit 1]')
})
