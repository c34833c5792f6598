import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { directoryWith, onlyRun, start } from '../../ui/cli/process/troupe.ts'
import { displayPrograms, missingOf, openDisplay, type Display } from './display.ts'

/*
 * Terminals that this platform can install, in windows of a virtual display: each window shows its worker live, and what
 * a person types there is sent as the person's.
 */
const worker = { description: 'Writes.', prompt: 'You write.' }
const subtasks = ['ana', 'bo'].map((name) => ({ worker: name, task: 'Write.' }))
const team = {
  name: 'duo',
  model: 'scripted/duo.script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: worker, bo: worker },
}
/** An answer that hangs is one that is still being written: a pane that shows it is live. */
const script = {
  agents: {
    lead: { steps: [{ say: 'I ask.', calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Done.' }] },
    ana: { steps: [{ say: 'ALPHA reads the journal', hang: true }] },
    bo: { steps: [{ say: 'BRAVO writes the report', hang: true }] },
  },
}

function begin(display: Display, env: Readonly<Record<string, string>>) {
  const cwd = directoryWith({ 'teams/duo.yaml': stringify(team), 'teams/duo.script.yaml': stringify(script) })
  const args = ['run', 'duo', 'Go.', '--trust', '--wait-permissions', '1h', '--executor', 'terminal']
  const run = start(cwd, args, { ...display.env, ...env })
  return { cwd, run, mail: (member: string) => textsOf(cwd, member) }
}

/** Who wrote which text to that member. */
function textsOf(cwd: string, member: string): readonly string[] {
  const box = join(onlyRun(cwd), 'mail', member)
  return ['new', 'cur', 'done']
    .map((part) => join(box, part))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8')) as Record<string, string>)
    .filter(({ kind }) => kind === 'text')
    .map(({ from, sender, body }) => `${from} ${sender?.split('-')[0]}: ${body}`)
}

const patience = { timeout: 100_000, interval: 500 }

/** The terminal is said to be missing; in continuous integration the suite installs it before. */
function needs(skip: (isMissing: boolean, note: string) => void, ...programs: readonly string[]): void {
  const missing = missingOf(...displayPrograms, ...programs)
  skip(missing.length > 0, `not tried, missing here: ${missing.join(', ')}`)
}

const commands: Readonly<Record<string, string>> = {
  xterm: 'xterm -fa Monospace -fs 16 -geometry 60x16 -T {title} -e {argv}',
  // It gives its program the home of the person's account, which is not that of the run here.
  alacritty: 'alacritty -o font.size=16 -T {title} --working-directory {cwd} -e env HOME=$HOME {argv}',
}

test.for(Object.entries(commands))('%s shows each worker live in a window', async ([name, command], { skip }) => {
  needs(skip, name)
  const display = await openDisplay()
  const { run, mail } = begin(display, { TROUPE_TERMINAL: command.replace('$HOME', display.env['HOME'] ?? '') })
  await expect.poll(() => display.titles(), patience).toEqual(['ana@duo', 'bo@duo'])
  await expect.poll(() => display.read('ana@duo'), patience).toContain('ALPHA reads the journal')
  await expect.poll(() => display.read('bo@duo'), patience).toContain('BRAVO writes the report')
  display.type('shorter please\n')
  await expect.poll(() => mail('bo'), patience).toEqual(['user user: shorter please'])
  await expect.poll(() => display.read('bo@duo'), patience).toContain('not read yet')
  run.child.kill('SIGTERM')
  await run.ended
  await expect.poll(() => display.titles(), patience).toEqual([])
})

test('kitty shows each worker live in a tab, and keeps the focus where it is', async ({ skip }) => {
  needs(skip, 'kitty')
  const display = await openDisplay()
  const address = `unix:${join(display.env['HOME'] ?? '', 'kitty')}`
  const looks = ['-o', 'font_size=16', '-o', 'tab_bar_min_tabs=1', '-o', 'tab_title_template={title}']
  display.start('kitty', '-o', 'allow_remote_control=yes', '--listen-on', address, ...looks, '--title', 'desk', 'cat')
  const kitty = (...args: readonly string[]): string =>
    spawnSync('kitty', ['@', '--to', address, ...args], { env: display.env, encoding: 'utf8' }).stdout
  const tabs = (): readonly string[] => {
    const [window] = JSON.parse(kitty('ls') || '[]') as { tabs: { title: string; is_focused: boolean }[] }[]
    return (window?.tabs ?? []).map(({ title, is_focused: focused }) => (focused ? `[${title}]` : title)).toSorted()
  }
  await expect.poll(tabs, patience).toHaveLength(1)
  const { run, mail } = begin(display, { KITTY_LISTEN_ON: address })
  await expect.poll(tabs, patience).toEqual(['[cat]', 'ana@duo', 'bo@duo'])
  const text = (): string => kitty('get-text', '--match', 'title:^bo@duo')
  await expect.poll(text, patience).toContain('BRAVO writes the report')
  kitty('focus-tab', '--match', 'title:^bo@duo')
  await expect.poll(() => display.read('kitty'), patience).toContain('BRAVO writes the report')
  display.type('shorter please\n')
  await expect.poll(() => mail('bo'), patience).toEqual(['user user: shorter please'])
  await expect.poll(text, patience).toContain('not read yet: text from user: shorter please')
  run.child.kill('SIGTERM')
  await run.ended
  await expect.poll(tabs, patience).toEqual(['[cat]'])
})

test('foot shows each worker live in a window of Wayland', async ({ skip }) => {
  needs(skip, 'foot', 'weston')
  const display = await openDisplay()
  const socket = 'wayland-desk'
  display.start('weston', '--backend=x11-backend.so', '--width=900', '--height=600', `--socket=${socket}`)
  await expect.poll(() => existsSync(join(display.env['XDG_RUNTIME_DIR'] ?? '', socket)), patience).toBe(true)
  const { run, mail } = begin(display, {
    WAYLAND_DISPLAY: socket,
    TROUPE_TERMINAL: 'foot --font=monospace:size=14 --window-size-chars=60x16 --title={title} -D {cwd} {argv}',
  })
  const words = (): string => display.read('weston')
  await expect.poll(words, patience).toMatch(/ALPHA reads the journal|BRAVO writes the report/)
  display.type('shorter please\n')
  await expect.poll(() => [...mail('ana'), ...mail('bo')], patience).toEqual(['user user: shorter please'])
  run.child.kill('SIGTERM')
  await run.ended
  await expect.poll(words, patience).not.toMatch(/ALPHA|BRAVO/)
})
