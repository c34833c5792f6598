import { agentIn } from './cut-agent.ts'

/** An agent that hangs in its first call until it is killed: `node agent-process.ts <dir> <tool>`. */
const [dir = '', tool = ''] = process.argv.slice(2)

const agent = agentIn(dir, {
  async run(name) {
    if (name === tool) process.stdout.write(`${name} began\n`)
    return name === tool ? new Promise<never>(() => setInterval(() => undefined, 1_000)) : name
  },
})
await agent.run('Look, then change.').result
