import { execFileSync, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WorkerCommand } from '../../../src/adapters/executors/place.ts'
import { tmuxPanes } from '../../../src/adapters/executors/tmux-panes.ts'
import { tmuxViews } from '../../../src/adapters/executors/tmux-views.ts'
import { killMarked, markVariable } from '../../../src/adapters/process/end-process.ts'
import { bareEnv } from '../../support/bare-env.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: panes of tmux are not tried, tmux is not installed')

let servers = 0

/** A person's tmux with one window, and the environment of a program in its pane. */
function personsTmux(columns: number, rows: number) {
  servers += 1
  const socket = `person-${process.pid}-${servers}`
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env: bareEnv }).trim()
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), 'sleep', '300')
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']))
  const [pane = '', path = '', pid = ''] = tmux('list-panes', '-F', '#{pane_id} #{socket_path} #{pid}').split(' ')
  const env = { ...bareEnv, TMUX: `${path},${pid},0`, TMUX_PANE: pane }
  const launched = new Set<string>()
  const mark = (member: string): string => `${socket}-${member}`
  onTestFinished(() => {
    for (const member of launched) killMarked(mark(member))
  })
  const command = (member: string): WorkerCommand => {
    launched.add(member)
    return {
      member,
      argv: ['sleep', '300'],
      view: ['sh', '-c', `echo this is ${member}; exec sleep 300`, `${member}@run`],
      env: { ...bareEnv, [markVariable]: mark(member) },
      cwd: tmpdir(),
      log: '/dev/null',
      title: `${member}@team`,
      colour: 0,
    }
  }
  return { tmux, env, pane, command, kill: (member: string) => killMarked(mark(member)) }
}

describe.skipIf(!hasTmux)("panes in the person's own tmux window", () => {
  test('stand beside the leader with titles, take no focus, and are gone at the end', async () => {
    const { tmux, env, pane, command } = personsTmux(200, 50)
    const place = tmuxPanes({ env, run: 'run' })
    for (const member of ['ana', 'bo']) await place.launch(command(member))
    const titles = () => tmux('list-panes', '-F', '#{pane_title} #{pane_active}').split('\n').slice(1)
    await expect.poll(titles).toEqual(['ana@team 0', 'bo@team 0'])
    expect(tmux('list-panes', '-F', '#{pane_id} #{pane_left}').split('\n')[0]).toBe(`${pane} 0`)
    expect(tmux('show-options', '-wqv', 'pane-border-status')).toBe('top')
    const shown = () => tmux('capture-pane', '-p', '-t', '.1')
    await expect.poll(shown).toContain('this is ana')
    await place.close?.()
    expect(tmux('list-panes', '-F', '#{pane_id}')).toBe(pane)
    expect(tmux('show-options', '-wqv', 'pane-border-status')).toBe('')
  })

  test('go on in another window where there is no room, and a worker of a later life has its pane of before', async () => {
    const { tmux, env, command } = personsTmux(90, 16)
    const place = tmuxPanes({ env, run: 'run' })
    const open = async (member: string) => {
      const before = tmux('list-panes', '-s', '-F', '#{pane_title}').split('\n').length
      await place.launch(command(member))
      await expect.poll(() => tmux('list-panes', '-s', '-F', '#{@troupe}')).toContain(`${member}@run`)
      return tmux('list-panes', '-s', '-F', '#{pane_title}').split('\n').length - before
    }
    expect([await open('ana'), await open('bo'), await open('cy')]).toEqual([1, 1, 1])
    expect(tmux('list-windows', '-F', '#{window_name}').split('\n').length).toBeGreaterThan(1)
    expect(await open('ana')).toBe(0)
    await place.close?.()
    expect(tmux('list-windows').split('\n')).toHaveLength(1)
  })

  test('of a worker that failed stays; no other pane of the person is touched', async () => {
    const { tmux, env, command, kill } = personsTmux(200, 50)
    const own = tmux('split-window', '-d', '-P', '-F', '#{pane_id} #{pane_height}', 'sleep', '300')
    const place = tmuxPanes({ env, run: 'run' })
    const { exited } = await place.launch(command('ana'))
    await place.launch(command('bo'))
    await expect.poll(() => tmux('list-panes', '-F', '#{@troupe}')).toContain('bo@run')
    kill('ana')
    await exited
    await place.close?.()
    expect(tmux('list-panes', '-F', '#{pane_title}').split('\n')).toContain('ana@team')
    expect(tmux('list-panes', '-F', '#{pane_title}').split('\n')).not.toContain('bo@team')
    expect(tmux('list-panes', '-F', '#{pane_id} #{pane_height}').split('\n')).toContain(own)
  })

  test('of twelve workers are all large enough to read, in as many windows as that takes', async () => {
    const { tmux, env, pane, command } = personsTmux(200, 50)
    const place = tmuxPanes({ env, run: 'run' })
    const names = Array.from({ length: 12 }, (_, n) => `w${n + 1}`)
    for (const name of names) await place.launch(command(name))
    const sizes = () => tmux('list-panes', '-s', '-F', '#{pane_id} #{pane_width} #{pane_height} #{@troupe}').split('\n')
    const marks = () =>
      new Set(
        sizes()
          .slice(1)
          .map((line) => line.split(' ')[3]),
      )
    await expect.poll(marks).toEqual(new Set(names.map((name) => `${name}@run`)))
    const [own = '', ...others] = sizes()
    expect(own).toContain(pane)
    for (const line of others) {
      const [, columns, rows] = line.split(' ').map(Number)
      expect([(columns ?? 0) >= 36, (rows ?? 0) >= 7, line]).toEqual([true, true, line])
    }
    expect(tmux('list-windows').split('\n').length).toBeLessThan(5)
    await place.close?.()
    expect(sizes()).toHaveLength(1)
  })

  test('that was closed by hand is opened again by another process, and closed with the others', async () => {
    const { tmux, env, command } = personsTmux(200, 50)
    const place = tmuxPanes({ env, run: 'run' })
    const [ana, bo] = [command('ana'), command('bo')]
    for (const each of [ana, bo]) await place.launch(each)
    const marks = () => tmux('list-panes', '-F', '#{@troupe}').split('\n').filter(Boolean).toSorted()
    await expect.poll(marks).toEqual(['ana@run', 'bo@run'])
    tmux('kill-pane', '-t', tmux('list-panes', '-F', '#{pane_id}', '-f', '#{==:#{@troupe},ana@run}'))
    expect(marks()).toEqual(['bo@run'])
    const views = tmuxViews({ env, run: 'run' })
    for (const each of [ana, bo]) await views.show(each)
    expect(marks()).toEqual(['ana@run', 'bo@run'])
    expect(tmux('list-windows').split('\n')).toHaveLength(1)
    await place.close?.()
    expect(marks()).toEqual([])
  })

  test.each([
    ['window', (window: string, session: string) => [window !== '0', session === 'mine']],
    ['session:work', (_: string, session: string) => [true, session === 'work']],
  ] as const)('begin where the person wants them: %s', async (where, isThere) => {
    const { tmux, env, command } = personsTmux(200, 50)
    tmux('rename-session', 'mine')
    const place = tmuxPanes({ env: { ...env, TROUPE_PANES: where }, run: 'run' })
    for (const member of ['ana', 'bo']) await place.launch(command(member))
    const panes = () =>
      tmux('list-panes', '-a', '-F', '#{window_index} #{session_name} #{@troupe}')
        .split('\n')
        .filter((line) => line.endsWith('@run'))
    await expect.poll(panes).toHaveLength(2)
    for (const line of panes()) {
      const [window = '', session = ''] = line.split(' ')
      expect(isThere(window, session)).toEqual([true, true])
    }
    await place.close?.()
    expect(tmux('list-panes', '-a').split('\n')).toHaveLength(1)
  })

  test('are missing where no tmux answers, and the worker works', async () => {
    const { command } = personsTmux(80, 24)
    const place = tmuxPanes({ env: { ...bareEnv, TMUX: '/nowhere,1,0', TMUX_PANE: '%0' }, run: 'run' })
    const launched = await place.launch(command('ana'))
    expect(launched.process).not.toBe(null)
    await place.close?.()
  })
})
