import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import type { Recorded } from '../../../protocol/facts/entry.ts'
import { watchRun } from '../../../runtime/runs/watch-run.ts'
import { commandsOf, type AttachTo } from '../attach.ts'
import { carryOutCommand } from '../orders/carry-out-command.ts'
import { carryOut } from '../orders/orders.ts'
import { firstUi, type Order } from '../state/ui.ts'
import { plainText } from '../../text/plain-text.ts'
import { howToAnswer, plainHelp, readLine } from './typed-line.ts'

/** A terminal that prints lines below each other and hands on lines that were typed. */
export interface LineTerminal {
  readonly stdin: Readable
  /** Resolves when the text was taken. */
  print(text: string): Promise<void>
  /** Entries as text; empty where nothing of them is shown. */
  show(recorded: readonly Recorded[]): string
}

/**
 * Shows a run as lines, for a screen reader or a terminal that cannot be drawn on, until the run or the person leaves.
 * Owns the questions that were printed: no other can be answered, and a line has to name the one that it answers.
 * Never moves the cursor, and leaves the line that is typed to the terminal.
 */
export async function attachPlain(to: AttachTo, terminal: LineTerminal): Promise<void> {
  const { run, member } = to
  const over = Promise.withResolvers<void>()
  const standing: Standing = { led: true, pending: [] }
  const { say, printed } = printerOn(terminal)
  const questions = openQuestions(to, say)
  say(plainHelp({ focus: member ?? run.lead, names: namesIn(to) }))
  const stop = watchRun(to.dir, {
    recorded: (batch) => say(terminal.show(batch.filter(({ owner }) => member === null || owner === member))),
    live: () => undefined,
    problem: (text) => say(`warning: ${plainText(text)}`),
    stand({ led, pending }) {
      Object.assign(standing, { led, pending: pending.map(({ request }) => request) })
      questions.print(standing.pending)
      if (!led) over.resolve()
    },
  })
  const lines = createInterface({ input: terminal.stdin, terminal: false })
  lines.on('line', obeyLines(to, { standing, say, isTold: questions.isTold }))
  to.signal.addEventListener('abort', () => over.resolve())
  await over.promise
  stop()
  lines.close()
  terminal.stdin.pause()
  await printed()
}

interface Standing {
  readonly led: boolean
  readonly pending: readonly ApprovalFile[]
}

type Say = (text: string | Promise<string>) => void

function namesIn({ run }: AttachTo): readonly string[] {
  return run.members.map(({ name }) => name)
}

/** Texts one after another, in the order in which they were said. */
function printerOn({ print }: LineTerminal): { readonly say: Say; printed(): Promise<void> } {
  let printing: Promise<void> = Promise.resolve()
  const put = async (text: string | Promise<string>): Promise<void> => {
    const words = (await text).trimEnd()
    if (words !== '') await print(`${words}\n`)
  }
  return {
    say(text) {
      printing = printing.then(() => put(text))
    },
    printed: () => printing,
  }
}

interface Questions {
  /** Prints those that are new, each with the line that answers it. */
  print(pending: readonly ApprovalFile[]): void
  isTold(request: ApprovalFile): boolean
}

function openQuestions(to: AttachTo, say: Say): Questions {
  const begun = new Set<string>()
  const told = new Set<string>()
  const whole = async (request: ApprovalFile): Promise<string> => {
    const text = await to.describe(request)
    told.add(request.id)
    return `${text}\n${plainText(howToAnswer(request))}`
  }
  return {
    print(pending) {
      for (const request of pending) {
        if (!begun.has(request.id)) say(whole(request))
        begun.add(request.id)
      }
    },
    isTold: ({ id }) => told.has(id),
  }
}

interface Obeying extends Pick<Questions, 'isTold'> {
  readonly standing: Standing
  readonly say: Say
}

function obeyLines(to: AttachTo, { standing, say, isTold }: Obeying): (line: string) => void {
  const { run, dir, home, now, env } = to
  const commands = commandsOf(to, standing)
  let ui = firstUi(namesIn(to), run.lead, to.member)
  const obey = (order: Order): Promise<string> => {
    if (order.type === 'command') return carryOutCommand(order, to)
    const place = { dir, home, now, env, team: run.team, lead: run.lead, led: standing.led, cwd: run.cwd }
    return carryOut(order, place)
  }
  return (line) => {
    const read = readLine(line, { ui, told: standing.pending.filter(isTold), commands })
    ui = read.ui
    if (read.say !== undefined) say(plainText(read.say))
    if (read.order) say(obey(read.order).then(plainText))
  }
}
