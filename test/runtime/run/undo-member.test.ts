import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { conversationOf } from '../../../src/rules/conversation/context-window.ts'
import { continueTeam } from '../../../src/runtime/run/continue-team.ts'
import { compactMember } from '../../../src/runtime/run/compact-member.ts'
import { listCheckpoints, nameCheckpoint, NotUndone, undoMember } from '../../../src/runtime/run/undo-member.ts'
import { readTodos } from '../../../src/runtime/tasks/read-tasks.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { dice as diceFrom, type Dice } from '../../machines/support/dice.ts'
import { play } from '../support/stage.ts'

const tools = ['Write', 'Edit', 'Read', 'Bash']
const alone = {
  name: 'solo',
  partition: 'relaxed',
  coordinator: { prompt: 'You lead.', tools },
  workers: { idle: { description: 'Rests.', prompt: 'You rest.', tools: ['LS'] } },
}

const write = (file_path: string, content: string) => ({ tool: 'Write', input: { file_path, content } })
const bash = (command: string) => ({ tool: 'Bash', input: { command } })

const unattended = { mode: 'bypassPermissions', allowBypass: true } as const

/** What the model of a member sees, in texts. */
function seenBy(dir: string, member: string): readonly string[] {
  const { messages } = conversationOf(readJournal(join(dir, 'journal', `${member}.jsonl`)).entries)
  return messages.map((message) =>
    message.role === 'tool' ? message.results.map((result) => textOf(result)).join('\n') : textOf(message),
  )
}

async function played(steps: readonly object[], files: Readonly<Record<string, string>> = {}) {
  const { cwd, run, result } = await play(alone, { lead: { steps } }, { files, ...unattended })
  expect(await result).toMatchObject({ status: 'completed' })
  return { cwd, dir: run.dir }
}

test('files of file tools and of commands, their modes and links go back together with the transcript', async () => {
  const { cwd, dir } = await played(
    [
      { say: 'One.', calls: [write('made.txt', 'new\n')] },
      {
        say: 'Two.',
        calls: [bash('rm gone.bin; chmod 600 run.sh; ln -s a.txt link; echo more >> a.txt; mkdir -p d; echo x > d/e')],
      },
      { say: 'Three.', calls: [bash('cat a.txt')] },
      { say: 'Done.' },
    ],
    { 'a.txt': 'a\n', 'gone.bin': '\u0000\u0001', 'run.sh': '#!/bin/sh\n' },
  )
  const listed = listCheckpoints(dir, 'lead')
  expect(listed.map(({ files }) => files.length)).toEqual([1, 5])
  expect(undoMember(dir, { member: 'lead' }).restored).toHaveLength(5)
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('a\n')
  expect(readFileSync(join(cwd, 'gone.bin'), 'utf8')).toBe('\u0000\u0001')
  expect(statSync(join(cwd, 'run.sh')).mode & 0o777).toBe(0o644)
  expect(existsSync(join(cwd, 'link'))).toBe(false)
  expect(existsSync(join(cwd, 'd', 'e'))).toBe(false)
  expect(seenBy(dir, 'lead').join('\n')).toMatch(/One\.[^]*A person took back your latest work/)
  expect(seenBy(dir, 'lead').join('\n')).not.toContain('Two.')
  undoMember(dir, { member: 'lead' })
  expect(existsSync(join(cwd, 'made.txt'))).toBe(false)
  expect(seenBy(dir, 'lead')[0]).toContain('Begin.')
  expect(() => undoMember(dir, { member: 'lead' })).toThrow('has changed no files')
})

test('what somebody changed since stands in the way, and nothing is touched', async () => {
  const { cwd, dir } = await played([{ calls: [write('a.txt', 'mine'), write('b.txt', 'mine')] }, { say: 'Done.' }])
  writeFileSync(join(cwd, 'a.txt'), 'a person')
  expect(() => undoMember(dir, { member: 'lead' })).toThrow(/a\.txt was changed since by somebody who is no member/)
  expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('mine')
  writeFileSync(join(cwd, 'a.txt'), 'mine')
  expect(undoMember(dir, { member: 'lead' }).restored).toHaveLength(2)
})

test('a directory that became a link leads nowhere else, and a file that became a directory comes back', async () => {
  const { cwd, dir } = await played(
    [
      { calls: [bash('rm a.txt; mkdir a.txt; echo x > a.txt/inside')] },
      { calls: [bash('mkdir d; echo same > d/e')] },
      {
        calls: [
          bash(
            'mkdir ../outside-$(basename $PWD); mv d ../outside-$(basename $PWD)/; ln -s ../outside-$(basename $PWD)/d d',
          ),
        ],
      },
      { say: 'Done.' },
    ],
    { 'a.txt': 'a\n' },
  )
  const outside = join(cwd, '..', `outside-${basename(cwd)}`)
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  expect(() => undoMember(dir, { member: 'lead', to: '2' })).toThrow(/Nothing was taken back/)
  expect(existsSync(join(outside, 'd', 'e'))).toBe(true)
  rmSync(join(cwd, 'd'))
  undoMember(dir, { member: 'lead', to: '1' })
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('a\n')
})

test('a file with keys is copied nowhere, and stands in the way when a command changed it', async () => {
  const { dir } = await played([{ calls: [bash('echo A=2 > .env')] }, { say: 'Done.' }], { '.env': 'A=1\n' })
  expect(() => undoMember(dir, { member: 'lead' })).toThrow(/the old content of .*\.env was not kept/)
})

test('a turn whose command goes on in the background, or in too large a directory, says why it stays', async () => {
  const { dir } = await played([
    { calls: [{ tool: 'Bash', input: { command: 'echo x > late.txt', run_in_background: true } }] },
    { say: 'Done.' },
  ])
  expect(listCheckpoints(dir, 'lead')[0]?.untaken).toBe('its command went on in the background')
  expect(() => undoMember(dir, { member: 'lead' })).toThrow('went on in the background')
})

test('a turn whose command removes the repository says why it stays', async () => {
  const { dir } = await played(
    [
      { calls: [bash('git init -q . && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm one')] },
      { calls: [bash('rm -rf .git a.txt')] },
      { say: 'Done.' },
    ],
    { 'a.txt': 'a\n' },
  )
  expect(listCheckpoints(dir, 'lead').map(({ untaken }) => untaken)).toEqual([
    'its command removed .git, which is kept nowhere else',
  ])
  expect(() => undoMember(dir, { member: 'lead' })).toThrow(/removed \.git/)
})

test('a named checkpoint, from before the conversation was made shorter, and the run goes on from it', async () => {
  const long = 'I looked at this and that. '.repeat(80)
  const script = {
    lead: {
      steps: [
        { say: `First. ${long}`, calls: [write('a.txt', '1')] },
        { say: `Second. ${long}`, calls: [write('b.txt', '2')] },
        { say: `Third. ${long}`, calls: [write('c.txt', '3')] },
        { say: 'Done.' },
        { expect: 'A person took back', say: 'Again.' },
      ],
    },
    'lead-summary': { steps: [{ say: 'All was summarised.' }] },
  }
  const { cwd, run, result } = await play(alone, script, unattended)
  await result
  const home = join(cwd, 'home')
  nameCheckpoint(run.dir, { member: 'lead', name: 'second', at: '2' })
  expect(() => nameCheckpoint(run.dir, { member: 'lead', name: 'second', at: '1' })).toThrow('called "second" already')
  await compactMember(run.dir, { member: 'lead', home, env: bareEnv })
  expect(() => undoMember(run.dir, { member: 'lead', to: 'third' })).toThrow('it has 1 to 3')
  expect(undoMember(run.dir, { member: 'lead', to: 'second' }).restored).toHaveLength(2)
  const seen = seenBy(run.dir, 'lead').join('\n')
  expect(seen).toContain('First. I looked')
  expect(seen).not.toMatch(/Second\.|summarised/)
  const more = await continueTeam(run.dir, { text: 'And now?', home, env: bareEnv })
  expect(await more.result).toMatchObject({ status: 'completed', result: 'Again.' })
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('1')
})

test('mail that came since is shown again, and mail that was sent since is listed as not taken back', async () => {
  const pair = {
    name: 'pair',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Write'] } },
  }
  const delegate = (task: string) => ({
    calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task }] } }],
  })
  const script = {
    lead: { steps: [delegate('Write it.'), delegate('And read it.'), { say: 'All is done.' }] },
    ana: {
      steps: [
        { say: 'I write.', calls: [write('a.txt', 'a')] },
        { say: 'Note:', calls: [{ tool: 'SendMessage', input: { to: 'lead', text: 'Half way.' } }] },
        { say: 'Written.' },
        { say: 'Read.' },
      ],
    },
  }
  const { run, result } = await play(pair, script, unattended)
  expect(await result).toMatchObject({ status: 'completed' })
  const { sent, restored } = undoMember(run.dir, { member: 'ana' })
  expect(restored).toHaveLength(1)
  expect(sent).toEqual([
    expect.stringMatching(/^lead@pair: Half way\./),
    expect.stringMatching(/^lead@pair: .*Written\./),
    expect.stringMatching(/^lead@pair: .*Read\./),
  ])
  const seen = seenBy(run.dir, 'ana')
  const places = ['Write it.', 'And read it.', 'A person took back your latest work'].map((words) =>
    seen.findIndex((text) => text.includes(words)),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(seen.join('\n')).not.toContain('I write.')
  expect(seen.at(-1)).toContain('What you have sent since stays sent:\n- lead@pair: Half way.')
})

test('the todo list goes back with the transcript', async () => {
  const todo = (content: string) => ({ tool: 'TodoWrite', input: { todos: [{ content, status: 'in_progress' }] } })
  const script = {
    lead: {
      steps: [
        { calls: [todo('Write a')] },
        { calls: [write('a.txt', '1'), todo('Write b')] },
        { calls: [write('b.txt', '2')] },
        { say: 'Done.' },
      ],
    },
  }
  const team = { ...alone, coordinator: { ...alone.coordinator, tools: [...tools, 'TodoWrite'] } }
  const { run, result } = await play(team, script, unattended)
  await result
  const contents = () => readTodos(run.dir).map(({ member, content }) => `${member}: ${content}`)
  expect(contents()).toEqual(['lead: Write b'])
  undoMember(run.dir, { member: 'lead', to: '1' })
  expect(contents()).toEqual(['lead: Write a'])
})

test('a member that is at work, and names that nobody has', async () => {
  const { run, result } = await play(alone, { lead: { steps: [{ say: 'I think …', hang: true }] } })
  await expect.poll(() => existsSync(join(run.dir, 'journal', 'lead.jsonl'))).toBe(true)
  expect(() => undoMember(run.dir, { member: 'lead' })).toThrow('is at work')
  expect(() => listCheckpoints(run.dir, 'leed')).toThrow('Did you mean "lead"?')
  expect(() => listCheckpoints('/nowhere/at-all', 'lead')).toThrow(NotUndone)
  run.abort()
  await result
})

const workers = ['ana', 'ben', 'cleo'] as const
const shared = ['a.txt', 'b.txt', 'c.txt', 'd.txt']

/** A turn of random edits; a file tool has to have read a file before it changes it. */
function editsOf(member: string, dice: Dice): object {
  const file = shared[dice(shared.length)] ?? 'a.txt'
  const [own, text] = [`${member}-${dice(3)}.txt`, `${member} ${dice(1_000)}`]
  const kinds = [
    { calls: [bash(`printf '%s\\n' '${text}' >> ${file}`)] },
    { calls: [bash(`printf '%s' '${text}' > ${own}`)] },
    { calls: [bash(`rm -f ${own}; printf '%s' '${text}' > ${member}-made-${dice(5)}`)] },
    { calls: [{ tool: 'Read', input: { file_path: file } }, write(file, `${text}\n`)] },
  ]
  return kinds[dice(kinds.length)] ?? {}
}

/** Three members that make fifty random edits, side by side or one after the other. */
async function fifty(dice: Dice, isInTurn: boolean) {
  const team = {
    ...alone,
    coordinator: { prompt: 'You lead.' },
    workers: Object.fromEntries(workers.map((name) => [name, { description: 'Edits.', prompt: 'You edit.', tools }])),
  }
  const rounds = isInTurn ? 2 : 1
  const order = Array.from({ length: rounds }, () => workers).flat()
  const subtasks = order.map((worker, index) => ({
    worker,
    task: 'Edit.',
    name: `edit-${index}`,
    ...(isInTurn && index > 0 ? { depends_on: [`edit-${index - 1}`] } : {}),
  }))
  const edits = Math.ceil(50 / order.length)
  const stepsOf = (name: string) =>
    Array.from({ length: rounds }, () => [
      ...Array.from({ length: edits }, () => editsOf(name, dice)),
      { say: 'Done.' },
    ]).flat()
  const script = {
    lead: { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Done.' }] },
    ...Object.fromEntries(workers.map((name) => [name, { steps: stepsOf(name) }])),
  }
  const files = Object.fromEntries(shared.map((name) => [name, `${name}\n`]))
  const { cwd, run, result } = await play(team, script, { files, ...unattended })
  expect(await result).toMatchObject({ status: 'completed' })
  const told = [...new Set(workers.flatMap((name) => listCheckpoints(run.dir, name).flatMap((point) => point.files)))]
  const content = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)
  const now = () => Object.fromEntries(told.map((path) => [path.slice(cwd.length + 1), content(path)]))
  const before = Object.fromEntries(
    told.map((path) => path.slice(cwd.length + 1)).map((name) => [name, files[name] ?? null]),
  )
  return { dir: run.dir, before, now }
}

const seed = Number(process.env['UNDO_SEED'] ?? 7)

test('after fifty random edits by three members every byte comes back, turn by turn', async () => {
  const { dir, before, now } = await fifty(diceFrom(seed), true)
  const latest = () =>
    workers
      .map((member) => ({ member, at: listCheckpoints(dir, member).at(-1)?.at ?? 0 }))
      .toSorted((a, b) => b.at - a.at)[0]
  let turns = 0
  for (let next = latest(); next && next.at > 0; next = latest()) {
    undoMember(dir, { member: next.member })
    turns += 1
  }
  expect(turns).toBeGreaterThan(30)
  expect(now()).toEqual(before)
})

test('of fifty edits side by side each turn comes back, or what stands in its way is named and nothing is touched', async () => {
  const draw = diceFrom(seed)
  const { dir, before, now } = await fifty(draw, false)
  for (let tries = 0; tries < 60; tries += 1) {
    const member = workers[draw(3)] ?? 'ana'
    const [was, count] = [now(), listCheckpoints(dir, member).length]
    const refusal = refusalOf(() => undoMember(dir, { member }))
    const left = listCheckpoints(dir, member).length
    expect({ left, files: refusal === null ? null : now() }).toEqual(
      refusal === null ? { left: count - 1, files: null } : { left: count, files: was },
    )
    expect(refusal ?? 'at the same time').toMatch(
      count === 0 ? /no files/ : /was changed (?:since|in between) by|at the same time/,
    )
  }
  const isAllBack = workers.every((name) => listCheckpoints(dir, name).length === 0)
  expect(isAllBack ? now() : before).toEqual(before)
})

/** The words with which an undo was refused; null when it was not. */
function refusalOf(act: () => unknown): string | null {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof NotUndone) return error.message
    throw error
  }
}
