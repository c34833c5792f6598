import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { scriptSchema, type Script } from '../../../src/adapters/models/scripted/script.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { readCost } from '../../../src/runtime/runs/read-cost.ts'
import { play, type Played } from '../../runtime/support/stage.ts'
import { apis } from '../../support/faulty-server.ts'
import type { Scene } from './golden-scene.ts'
import { goldenTranscript, requestsIn } from './transcript.ts'
import { serveScript, type VendorServer } from './vendor-server.ts'
import { bareEnv } from '../../support/bare-env.ts'

/** Whose words models speak: nobody's, or those of an API, through its SDK and over loopback. */
const voices = ['scripted', ...apis] as const
type Voice = (typeof voices)[number]

/** Each scene in each voice, for `test.for`. */
export function inEveryVoice(scenes: readonly Scene[]): readonly { name: string; voice: Voice; scene: Scene }[] {
  return scenes.flatMap((scene) => voices.map((voice) => ({ name: scene.name, voice, scene })))
}

/**
 * Plays a scene and holds it against its golden transcript, which is the same in every voice; the requests in its
 * journals against those that the server got; and what it cost against what was billed.
 * @returns how often models were asked
 */
export async function playGolden(scene: Scene, voice: Voice = 'scripted'): Promise<number> {
  const agents = agentsIn(scene)
  const server = voice === 'scripted' ? undefined : await serveScript(voice, agents)
  const played = await playScene(scene, server)
  const { recorded } = played
  const ended = await played.result
  const transcript = goldenTranscript(recorded, ended)
  expect(transcript).not.toMatch(/script, agent|parts of the script/)
  await expect(transcript).toMatchFileSnapshot(`golden/${scene.name}.txt`)
  const asked = requestsIn(recorded)
  if (server) {
    await Promise.all(server.givenUp)
    expect({ complaints: server.complaints, unused: server.unused() }).toEqual({ complaints: [], unused: [] })
    expect(server.asked.toSorted()).toEqual(asked.toSorted())
  }
  if (scene.prices) expectBill(played, scene.prices, server?.billed ?? usedIn(agents))
  return asked.length
}

async function playScene(scene: Scene, server: VendorServer | undefined): Promise<Played> {
  const { cue, marks = {}, options, prices } = scene
  const model = server?.model ?? 'scripted/script.yaml'
  const given = Promise.withResolvers<void>()
  const played = await play(teamOf(scene, model), agentsIn(scene), {
    ...(prices ? { files: { 'home/.troupe/models.json': JSON.stringify({ [model]: prices }) } } : {}),
    ...(typeof options === 'function' ? options(given.promise) : options),
    ...(server ? { env: { ...bareEnv, ...server.env } } : {}),
  })
  const missing = new Set(cue)
  played.run.subscribe((fact: Recorded) => {
    for (const [file, fits] of Object.entries(marks)) if (fits(fact)) writeFileSync(join(played.cwd, file), '')
    for (const fits of missing) if (fits(fact)) missing.delete(fits)
    if (!cue || missing.size > 0) return
    given.resolve()
    writeFileSync(join(played.cwd, 'cue'), '')
  })
  return played
}

/** The script of a scene, as the scripted model and the servers take it. */
export function agentsIn({ script }: Scene): Script['agents'] {
  const agents = Object.entries(script).map(([agent, steps]) => [agent, { steps }] as const)
  return scriptSchema.parse({ agents: Object.fromEntries(agents) }).agents
}

/** The team file of a scene. */
export function teamOf({ gather, team, workers }: Scene, model: string): object {
  const coordinator = { prompt: 'You lead.', ...(gather ? { gather } : {}) }
  return { name: 'golden', model, coordinator, workers, ...team }
}

/** What a script says that its answers used. */
function usedIn(agents: Script['agents']): VendorServer['billed'] {
  const usages = Object.values(agents).flatMap(({ steps }) => steps.map(({ usage }) => usage))
  const sum = (of: 'input' | 'output'): number => usages.reduce((total, usage) => total + (usage?.[of] ?? 0), 0)
  return { input: sum('input'), output: sum('output') }
}

/** Every token that was billed is in the cost, at its price, and no other. */
function expectBill({ run }: Played, prices: NonNullable<Scene['prices']>, billed: VendorServer['billed']): void {
  const { usage, cost_usd } = readCost(run.dir).total
  expect(usage).toMatchObject(billed)
  expect(Math.round((cost_usd ?? 0) * 1_000_000)).toBe(billed.input * prices.input + billed.output * prices.output)
}
