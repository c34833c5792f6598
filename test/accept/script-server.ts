import { z } from 'zod'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { modelServer, sendJson } from '../adapters/models/support/model-server.ts'
import { heardIn } from '../support/vendors/heard.ts'
import { pathOf, streamOf, type Api, type Speech } from '../support/vendors/speech.ts'
import { complaintsAt } from '../support/vendors/vendors.ts'

const texts = z.union([z.string(), z.array(z.string())])

/** One step of a member: it is taken when its conditions hold, and every step once. */
export const stepSchema = z.strictObject({
  /** Texts that all stand somewhere in the conversation. */
  when: texts.optional(),
  /** Texts that all came since the member's last step. */
  whenNew: texts.optional(),
  say: z.string().optional(),
  calls: z.array(z.strictObject({ tool: z.string(), args: z.looseObject({}) })).optional(),
  /** The answer never comes. */
  silent: z.boolean().optional(),
})

export type Step = z.input<typeof stepSchema>
export type Script = Readonly<Record<string, readonly Step[]>>

/** One request of a member, as the server got it. */
export interface Told {
  readonly agent: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface ScriptServer {
  readonly root: string
  readonly told: readonly Told[]
  /** Members that have steps left. */
  unfinished(): readonly string[]
  close(): Promise<void>
}

/**
 * The models of a whole team, played from one script over any of the three APIs. A member is known by `AGENT=name` in
 * its system prompt. While a step's conditions do not hold, the answer is `(waiting)` and the step stays.
 * What a vendor would refuse is refused here too.
 */
export async function scriptServer(script: Script): Promise<ScriptServer> {
  const told: Told[] = []
  const parts = new Map(Object.entries(script).map(([name, steps]) => [name, partOf(name, steps)]))
  const { root, close } = await modelServer(({ path, text, body }, response) => {
    const api = apiAt(path)
    const { system, messages } = api ? heardIn(api, body) : { system: '', messages: [] }
    const agent = /AGENT=([\w-]+)/.exec(system)?.[1] ?? ''
    const part = parts.get(agent)
    const complaints = [...complaintsAt(path, text), ...(part ? [] : [`no member "${agent}" is in the script`])]
    if (!api || !part || complaints.length > 0) {
      sendJson(response, 400, { error: { message: complaints.join('; ') } })
      return
    }
    told.push({ agent, body })
    const heard = messages.flatMap((message) => {
      if (message.role === 'tool') return message.results.map(textOf)
      return message.role === 'user' ? [textOf(message)] : []
    })
    const speech = part.answer(heard)
    if (speech === null) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf(api, speech))
  })
  return {
    root,
    told,
    unfinished: () => [...parts].flatMap(([name, part]) => (part.left() > 0 ? [name] : [])),
    close,
  }
}

/** A member on the stage: what it says to what it has heard so far. */
function partOf(name: string, steps: readonly Step[]) {
  const rest = [...steps]
  let [taken, seen] = [0, 0]
  return {
    left: () => rest.length,
    /** The answer to what it has heard, or null where it stays silent. */
    answer(heard: readonly string[]): Speech | null {
      const [step] = rest
      if (!step) return { text: '(done)' }
      const holds = holdsAll(step.when, heard) && holdsAll(step.whenNew, heard.slice(seen))
      if (!holds) return { text: '(waiting)' }
      rest.shift()
      taken += 1
      seen = heard.length
      const calls = (step.calls ?? []).map(({ tool, args }, place) => ({
        id: `call_${name}_${taken}_${place}`,
        name: tool,
        input: args,
      }))
      return step.silent ? null : { text: step.say ?? '', calls }
    },
  }
}

function holdsAll(wanted: Step['when'], heard: readonly string[]): boolean {
  const all = heard.join('\n')
  return [wanted ?? []].flat().every((text) => all.includes(text))
}

function apiAt(path: string): Api | undefined {
  return (Object.keys(pathOf) as Api[]).find((name) => path.endsWith(pathOf[name]))
}
