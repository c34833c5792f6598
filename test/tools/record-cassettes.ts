import { readFileSync, writeFileSync } from 'node:fs'
import { scenes } from '../teams/scenes/scenes.ts'
import type { Scene } from '../teams/scenes/scene.ts'
import { serveMessages } from '../teams/support/messages-server.ts'
import { cassetteOf, playScene, setUp } from '../teams/support/play-scene.ts'
import { costTable, page, withTable } from './team-costs.ts'

/**
 * `node test/tools/record-cassettes.ts`: plays every scene once against a loopback server of the Messages API and
 * records the run as a cassette; then writes the table of costs into docs/teams.md. The same scenes give the same files.
 */
async function record(scene: Scene): Promise<void> {
  const stage = setUp(scene)
  const server = await serveMessages(scene.answers, stage.root)
  try {
    const cassette = cassetteOf(scene)
    writeFileSync(cassette, 'record: anthropic/loopback\n')
    const env = { ANTHROPIC_API_KEY: 'key-of-the-recording', ANTHROPIC_BASE_URL: server.url }
    const { result } = await playScene(scene, stage, { model: `recorded/${cassette}`, env })
    if (result.status !== 'completed') throw new Error(`${scene.team}: ${result.status}: ${result.reason}`)
    console.log(`${scene.team}: ${server.requests.length} requests`)
  } finally {
    await server.close()
    stage.remove()
  }
}

for (const scene of scenes) await record(scene)
writeFileSync(page, withTable(readFileSync(page, 'utf8'), await costTable(scenes)))
