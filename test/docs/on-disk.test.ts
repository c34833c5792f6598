import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mailLogOf } from '../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox } from '../../src/adapters/mailbox/mailbox.ts'
import { parseMailFile } from '../../src/adapters/mailbox/files/mail-files.ts'
import { noteSilence } from '../../src/adapters/lease/heartbeat.ts'
import { ownProcess } from '../../src/adapters/process/liveness.ts'
import { openPaceFile } from '../../src/adapters/models/pace-log.ts'
import { judgeLine } from '../../src/adapters/sessions/entry-line.ts'
import { storeArtifact } from '../../src/adapters/sessions/artifacts.ts'
import { writeTask } from '../../src/adapters/sessions/task-file.ts'
import { writeBrokerPlace } from '../../src/adapters/mcp/broker/broker-place.ts'
import { writeOrders } from '../../src/adapters/sessions/orders.ts'
import { openJournal } from '../../src/adapters/sessions/journal.ts'
import { createRun } from '../../src/adapters/sessions/run-directory.ts'
import { headerSchema } from '../../src/protocol/facts/entry.ts'
import { ordersSchema } from '../../src/protocol/work/orders.ts'
import { envelopeSchema, mailKinds } from '../../src/protocol/mail/envelope.ts'
import { approvalFiles } from '../../src/adapters/approvals/approval-files.ts'
import { readRunKey } from '../../src/adapters/sessions/run-key.ts'
import {
  answerFileSchema,
  answerScopes,
  answerSources,
  approvalFileSchema,
} from '../../src/protocol/permissions/approval-file.ts'
import { factSchema } from '../../src/protocol/facts/fact.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { memberFileSchema, memberStates, runFileSchema } from '../../src/protocol/team/run.ts'
import { boardTaskSchema } from '../../src/protocol/work/task.ts'
import { openOwned } from '../../src/runtime/journals/ledger.ts'
import { countingMint, draft } from '../contracts/mail-world.ts'
import { sampleTeam } from '../contracts/sample-team.ts'
import { mailFold } from '../../src/adapters/mailbox/files/mail-memory.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/on-disk.md'), 'utf8')

/** The fenced block whose info string is `info`. */
function block(info: string): string {
  const start = page.indexOf(`\n\`\`\`${info}\n`)
  if (start === -1) throw new Error(`no block "${info}"`)
  const from = page.indexOf('\n', start + 1) + 1
  return page.slice(from, page.indexOf('\n```', from))
}

const places: Readonly<Record<string, string>> = {
  team: '[a-z][a-z0-9-]*',
  name: '[a-z][a-z0-9-]*',
  sender: '[a-z][a-z0-9-]*',
  ulid: '[0-9A-HJKMNP-TV-Z]{26}',
  seq: '[1-9][0-9]*',
  n: '[1-9][0-9]*',
  sha256: '[0-9a-f]{64}',
  claim: '[0-9]+\\.[0-9]+',
  pid: '[0-9]+',
  started: '[0-9]+',
  hash: '[0-9a-f]{8}',
  request: '[a-z][a-z0-9-]*-[1-9][0-9]*-[1-9][0-9]*(?:\\.[1-9][0-9]*)?',
  file: '[^/]+',
}

/** The listing at the top of the page: each path as a pattern. */
const promised = block('')
  .split('\n')
  .map((line) => line.trim().split(/\s{2,}/)[0] ?? '')
  .map((path) => path.replace('~/', 'home/'))
  .map((path) => (/^(\.troupe|home)\b/.test(path) ? path : `.troupe/runs/<team>-<ulid>/${path}`))
  .map((path) => {
    const pattern = path.replaceAll('.', '\\.').replaceAll(/<(\w+)>/g, (_, place: string) => places[place] ?? place)
    return new RegExp(`^${pattern}$`)
  })

let home: string
let whileClaimed: readonly string[]
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-on-disk-'))
  liveALittle(home)
})
afterAll(() => rmSync(home, { recursive: true }))

/** A run with every kind of file: mail unread, claimed, acked and dead, and a torn journal. */
function liveALittle(cwd: string): void {
  const mint = countingMint()
  const team = sampleTeam(['lead', 'writer', 'reader'])
  const root = join(cwd, '.troupe/runs')
  const run = createRun({
    root,
    home: join(cwd, 'home'),
    team,
    task: 'Go.',
    cwd,
    git_head: null,
    ulid: mint(),
    created: 1,
    attachments: [{ type: 'image', media_type: 'image/png', data: '' }],
  })
  openOwned({ run, clock: { now: () => 1 } }, { owner: 'team', incarnation: mint() }, mailFold).journal.close()
  openOwned({ run, clock: { now: () => 1 } }, { owner: 'idler', incarnation: mint() }, mailFold)
  noteSilence(run.lease, { pid: 5, started: 6, machine: 'far' }, '')
  writeOrders(run.dir, ordersSchema.parse(JSON.parse(block('json orders/<name>.json'))))
  run.writeTeam(team)
  writeBrokerPlace(run.dir, { socket: '/run/user/1000/troupe/mcp.sock', pid: 1 })
  writeFileSync(join(run.dir, 'stopped.json'), JSON.stringify({ at: 1, reason: 'enough' }))
  mkdirSync(join(run.dir, 'log'))
  writeFileSync(join(run.dir, 'log', 'writer.log'), 'began\n')
  const open = (owner: string) => {
    const { journal, state } = run.openJournal(owner, () => 1, mailFold)
    run.writeMember({ ...memberFile, id: agentId(owner, 'demo') })
    const log = mailLogOf((facts) => void journal.append(facts), state)
    const roster = team.members.map(({ name }) => name)
    const from = agentId(owner, 'demo')
    const store = (text: string) => storeArtifact(run.artifacts, text)
    return createMailbox({ dir: run.mail, owner, from, team: 'demo', roster, log, now: () => 1, mint, store })
  }
  const lead = open('lead')
  lead.send(draft('writer', 'read'))
  writeFileSync(join(run.mail, 'writer/new/notes.txt'), 'hello')
  const writer = open('writer')
  writer.receive()
  lead.send(draft('writer', 'unread'))
  lead.send(draft('writer', 'x'.repeat(300_000), 'long'))
  lead.send(draft('reader', 'claimed'))
  const log = mailLogOf(() => {
    whileClaimed = filesOf(cwd)
  }, mailFold.empty())
  createMailbox({
    dir: run.mail,
    owner: 'reader',
    from: 'reader@demo',
    team: 'demo',
    roster: [],
    log,
    now: () => 1,
    mint,
  }).receive()
  writeTask(run.dir, boardTaskSchema.parse(JSON.parse(block('json tasks/<n>.json'))))
  const requests = approvalFiles(join(run.dir, 'permissions'), () => readRunKey(join(cwd, 'home'), run.id))
  requests.ask(approvalFileSchema.parse(JSON.parse(block('json permissions/<request>.json'))))
  requests.answer(answerFileSchema.parse(JSON.parse(block('json permissions/<request>.answer.json'))))
  run.openJournal('user-01J0000000000000000000000A', () => 1, mailFold).journal.close()
  openPaceFile(join(run.dir, 'pace', 'anthropic.jsonl'), 'one').write({ type: 'sent', at: 1 })
  const long = openJournal(run.journalFile('reader'), {
    owner: 'reader',
    now: () => 1,
    segmentBytes: 1,
    fold: mailFold,
  }).journal
  for (let n = 0; n < 2; n += 1) long.append([{ type: 'member.woke' }])
  long.close()
  const journal = run.journalFile('writer')
  truncateSync(journal, statSync(journal).size - 5)
  open('writer')
}

const memberFile = {
  incarnation: '01J00000000000000000000000',
  executor: 'in-process',
  ...ownProcess(),
  pane: null,
  state: 'idle' as const,
  unread: 0,
  live: null,
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

describe('a real run directory', () => {
  test('holds nothing that the page does not name, also while mail is claimed', () => {
    const files = [...filesOf(home), ...whileClaimed]
    expect(files.filter((path) => !promised.some((pattern) => pattern.test(path)))).toEqual([])
  })

  test('holds every kind of file that the page names but the one in tmp/, which is gone too soon', () => {
    const files = [...filesOf(home), ...whileClaimed]
    const missing = promised.filter((pattern) => !files.some((path) => pattern.test(path))).map(String)
    expect(missing.filter((pattern) => !pattern.endsWith('\\/$/'))).toEqual([expect.stringContaining('tmp')])
  })

  test('its files have the keys of the examples', () => {
    const [run] = readdirSync(join(home, '.troupe/runs'))
    const read = (path: string) =>
      JSON.parse(readFileSync(join(home, '.troupe/runs', run ?? '', path), 'utf8')) as object
    const keys = (value: unknown) => Object.keys(value as object).toSorted()
    expect(keys(read('run.json'))).toEqual(keys(JSON.parse(block('json run.json'))))
    const answer = keys(JSON.parse(block('json permissions/<request>.answer.json')))
    expect(keys(read('permissions/historian-17-1.answer.json'))).toEqual(answer)
    const lease = keys(JSON.parse(block('json lease/<name>/<n>')))
    expect(keys(read('lease/team/1'))).toEqual([...lease, 'released'].toSorted())
    expect(keys(read('members/writer.json'))).toEqual(keys(JSON.parse(block('json members/<name>.json'))))
  })
})

describe('the examples', () => {
  test('run.json and a member file follow their schemas, without a key too many', () => {
    for (const [info, schema] of [
      ['json run.json', runFileSchema],
      ['json members/<name>.json', memberFileSchema],
      ['json permissions/<request>.json', approvalFileSchema],
      ['json permissions/<request>.answer.json', answerFileSchema],
      ['json tasks/<n>.json', boardTaskSchema],
    ] as const) {
      const example: unknown = JSON.parse(block(info))
      expect(schema.parse(example)).toEqual(example)
    }
  })

  test('the envelope follows its schema', () => {
    const example: unknown = JSON.parse(block('json mail/<name>/new/<sender>-<seq>-<ulid>.json'))
    const envelope = envelopeSchema.parse(example)
    expect(envelope).toEqual(example)
    expect(parseMailFile(`${envelope.sender}-${envelope.seq}-${envelope.id}.json`)).not.toBeNull()
  })

  test('the journal is read without a problem, each line following the one before', () => {
    const lines = block('jsonl journal/<name>.jsonl').split('\n')
    const judged = lines.map((line) => judgeLine(Buffer.from(line)))
    expect(judged.map(({ message }) => message)).toEqual(lines.map(() => undefined))
    expect(judged.map(({ entry }) => entry)).toEqual(lines.map((line) => JSON.parse(line) as unknown))
    expect(judged.map(({ entry }) => entry?.parent)).toEqual([
      null,
      ...judged.slice(0, -1).map(({ entry }) => entry?.id),
    ])
  })
})

describe('the words', () => {
  test('every type of journal line is named with its keys, and no other', () => {
    const rows = page.matchAll(/^\| `([a-z]+\.[a-z_]+)` *\|([^|]*)\|/gm)
    const written = [...rows].map(([, type, keys = '']) => [type, ...keys.split(/[` ]+/).filter((key) => key !== '')])
    const known = [headerSchema, ...factSchema.options].map((option) => {
      const { properties = {}, required = [] } = z.toJSONSchema(option, { unrepresentable: 'any' })
      const keys = Object.keys(properties).filter((key) => key !== 'type')
      return [option.shape.type.value, ...keys.map((key) => (required.includes(key) ? key : `${key}?`))]
    })
    expect(written).toEqual(known)
  })

  test('every kind of mail and every state of a member is named', () => {
    for (const word of [...mailKinds, ...memberStates, ...answerScopes, ...answerSources])
      expect(page).toContain(`\`${word}\``)
  })
})
