import type { Api } from '../support/vendors/speech.ts'
import { sessionAgent } from '../support/long-session.ts'

/** A life of a long session, which goes on where an earlier one was killed: `node session-process.ts <dir> <root> <api>`. */
const [dir = '', root = '', api = 'chat'] = process.argv.slice(2)

const agent = sessionAgent(dir, { root, api: api as Api })
const { reason } = await (agent.resume() ?? agent.run('Measure all locks.')).result
agent.close()
process.stdout.write(`${reason}\n`)
