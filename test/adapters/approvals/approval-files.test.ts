import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { approvalFiles, type ApprovalFiles } from '../../../src/adapters/approvals/approval-files.ts'
import type { AnswerFile, ApprovalFile } from '../../../src/protocol/permissions/approval-file.ts'

const key = () => Buffer.alloc(32, 7)

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-requests-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'permissions')
}

const open = (): ApprovalFiles => approvalFiles(emptyFolder(), key)

function asked(more: Partial<ApprovalFile> = {}): ApprovalFile {
  return {
    v: 1,
    id: 'ana-17-1',
    member: 'ana@duo',
    call_id: 'toolu_1',
    tool: 'Bash',
    input: { command: 'npm test' },
    task: null,
    decision: { behavior: 'ask', source: 'mode', reason: 'nothing allows it' },
    near: [],
    grants: { session: [], save: [] },
    asked_at: 100,
    deadline: null,
    ...more,
  }
}

function given(more: Partial<AnswerFile> = {}): AnswerFile {
  return {
    v: 1,
    id: 'ana-17-1',
    behavior: 'allow',
    source: 'human',
    reason: 'fine',
    scope: 'once',
    by: 'a face',
    at: 200,
    ...more,
  }
}

describe('a question', () => {
  test('is there for others, private, and unanswered', () => {
    const files = open()
    expect(files.list()).toEqual([])
    expect(files.ask(asked())).toEqual(asked())
    expect(files.read('ana-17-1')).toEqual(asked())
    expect(files.list()).toEqual([{ id: 'ana-17-1', answered: false }])
    expect(statSync(join(files.dir, 'ana-17-1.json')).mode & 0o777).toBe(0o600)
    expect(files.answerTo('ana-17-1')).toBeNull()
  })

  test('asked again by a later life keeps its time and its deadline', () => {
    const files = open()
    const first = files.ask(asked({ deadline: 500 }))
    expect(files.ask(asked({ asked_at: 400, deadline: 900, task: 'again' }))).toEqual(first)
  })

  test('is not taken for that of another call', () => {
    const files = open()
    files.ask(asked())
    expect(() => files.ask(asked({ input: { command: 'rm -rf /' } }))).toThrow('is about another call')
    expect(() => files.ask(asked({ call_id: 'toolu_2' }))).toThrow('is about another call')
  })

  test('whose file is damaged is not asked on', () => {
    const files = open()
    files.ask(asked())
    writeFileSync(join(files.dir, 'ana-17-1.json'), '{"v":1')
    expect(files.read('ana-17-1')).toBeNull()
    expect(() => files.ask(asked())).toThrow('cannot be read')
  })

  test.each(['../../etc/passwd', 'ana', 'ana-1', 'ana-0-1', 'Ana-1-1', 'ana-1-1.answer', ''])('%j is no id', (id) => {
    const files = open()
    expect(() => files.read(id)).toThrow('is no id')
    expect(() => files.answer(given({ id }))).toThrow('is no id')
  })
})

describe('an answer', () => {
  test('counts once: who comes second is told what the first one said', () => {
    const files = open()
    files.ask(asked())
    expect(files.answer(given({ by: 'one' }))).toEqual({ won: true })
    const second = files.answer(given({ by: 'two', behavior: 'deny' }))
    expect(second).toMatchObject({ won: false, first: { by: 'one', behavior: 'allow' } })
    expect(files.answerTo('ana-17-1')).toMatchObject(given({ by: 'one' }))
  })

  test.each([
    ['is not JSON', 'no'],
    ['is of another shape', '{"v":1,"id":"ana-17-1"}'],
    ['is about another question', JSON.stringify(given({ id: 'ana-17-2' }))],
    ['is not signed', JSON.stringify(given())],
    ['is signed with something else', JSON.stringify(given({ mac: 'ab'.repeat(32) }))],
  ])('that %s is a denial', (_, text) => {
    const files = open()
    files.ask(asked())
    writeFileSync(join(files.dir, 'ana-17-1.answer.json'), text)
    expect(files.answerTo('ana-17-1')).toMatchObject({ behavior: 'deny', source: 'nobody' })
  })

  test('to a call that took the place of the one that was asked about is a denial', () => {
    const files = open()
    files.ask(asked({ input: { command: 'rm -rf build' } }))
    writeFileSync(join(files.dir, 'ana-17-1.json'), JSON.stringify(asked()))
    const face = approvalFiles(files.dir, key)
    expect(face.read('ana-17-1')?.input).toEqual({ command: 'npm test' })
    expect(face.answer(given())).toEqual({ won: true })
    expect(files.answerTo('ana-17-1')).toMatchObject({ behavior: 'deny', source: 'nobody' })
  })

  test.each([
    ['proposes other rules', { grants: { session: [], save: ['Bash(npm:*)'] } }],
    ['names another member behind it', { behind: [{ from: 'lead@duo', kind: 'task', text: 'Please.' }] }],
    ['gives another reason', { task: 'Something harmless.' }],
  ])('to a question that %s by now is a denial', (_, more) => {
    const files = open()
    files.ask(asked())
    writeFileSync(join(files.dir, 'ana-17-1.json'), JSON.stringify(asked(more)))
    expect(approvalFiles(files.dir, key).answer(given())).toEqual({ won: true })
    expect(files.answerTo('ana-17-1')).toMatchObject({ behavior: 'deny', source: 'nobody' })
  })

  test('to a call that was put in its place while a person looked, and taken back before the answer, is a denial', () => {
    const files = open()
    files.ask(asked({ input: { command: 'rm -rf build' } }))
    const file = join(files.dir, 'ana-17-1.json')
    const text = readFileSync(file)
    writeFileSync(file, JSON.stringify(asked()))
    const face = approvalFiles(files.dir, key)
    expect(face.read('ana-17-1')?.input).toEqual({ command: 'npm test' })
    writeFileSync(file, text)
    expect(face.answer(given())).toEqual({ won: true })
    expect(files.answerTo('ana-17-1')).toMatchObject({ behavior: 'deny', source: 'nobody' })
  })

  test('under a key of another run is a denial', () => {
    const files = open()
    files.ask(asked())
    files.answer(given())
    const other = approvalFiles(files.dir, () => Buffer.alloc(32, 8))
    expect(other.answerTo('ana-17-1')).toMatchObject({ behavior: 'deny' })
  })

  const changes = fc.oneof(
    fc.record({ behavior: fc.constant('deny' as const) }),
    fc.record({ scope: fc.constantFrom('session' as const, 'save' as const) }),
    fc.record({ rules: fc.array(fc.string()) }),
    fc.record({ updated_input: fc.jsonValue() }),
    fc.record({ reason: fc.string().filter((reason) => reason !== 'fine') }),
    fc.record({ by: fc.string().filter((by) => by !== 'a face') }),
  )
  prop.prop([changes])('that was changed after it was signed is a denial', (change) => {
    const files = open()
    files.ask(asked())
    files.answer(given())
    const signed = files.answerTo('ana-17-1')
    writeFileSync(join(files.dir, 'ana-17-1.answer.json'), JSON.stringify({ ...signed, ...change }))
    expect(files.answerTo('ana-17-1')).toMatchObject({ behavior: 'deny', source: 'nobody' })
  })
})

describe('the file protocol', () => {
  const actor = fc.record({ id: fc.constantFrom('ana-1-1', 'ana-1-2', 'bo-2-1'), by: fc.nat(5), deny: fc.boolean() })
  const acts = fc.array(
    fc.oneof(
      actor.map((who) => ({ ask: who })),
      actor.map((who) => ({ answer: who })),
    ),
    {
      maxLength: 30,
    },
  )

  prop.prop([acts])('in whatever order, every question has one answer, the first, and all others hear it', (plan) => {
    const files = open()
    const others = approvalFiles(files.dir, key)
    const firsts = new Map<string, string>()
    for (const [index, act] of plan.entries()) {
      const here = index % 2 === 0 ? files : others
      if ('ask' in act) here.ask(asked({ id: act.ask.id }))
      else {
        const { id, by, deny } = act.answer
        here.ask(asked({ id }))
        const verdict = here.answer(given({ id, by: `${by}#${index}`, behavior: deny ? 'deny' : 'allow' }))
        if (verdict.won) expect(firsts.has(id)).toBe(false)
        if (!firsts.has(id)) firsts.set(id, `${by}#${index}`)
        expect(verdict.won ? `${by}#${index}` : verdict.first.by).toBe(firsts.get(id))
      }
    }
    for (const [id, by] of firsts) expect(files.answerTo(id)?.by).toBe(by)
    const names = plan.length === 0 ? [] : readdirSync(files.dir)
    expect(names.filter((name) => name.startsWith('.unfinished-'))).toEqual([])
    for (const { id, answered } of files.list()) expect(answered).toBe(firsts.has(id))
  })

  prop.prop([fc.jsonValue(), fc.jsonValue()])('any input and any changed input survive the files', (input, updated) => {
    const files = open()
    const question = files.ask(asked({ input }))
    expect(files.ask(asked({ input }))).toEqual(JSON.parse(JSON.stringify(question)))
    files.answer(given({ updated_input: updated }))
    expect(files.answerTo('ana-17-1')).toMatchObject({ behavior: 'allow' })
    expect(files.answerTo('ana-17-1')?.updated_input).toEqual(JSON.parse(JSON.stringify(updated)))
  })
})
