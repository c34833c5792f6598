#!/usr/bin/env node
import { isSupportedNode, supportedNode } from './host/package-root.ts'

// The check comes before every other import: an older Node would fail inside a package, with a stack.
if (isSupportedNode(process.versions.node)) {
  const [name, ...rest] = process.argv.slice(2)
  if (name === 'worker') {
    // Not a command for people: a leader starts it, often, and it needs nothing of the command line.
    const { workerProcess } = await import('./worker.ts')
    await workerProcess(rest)
  } else if (name === 'mcp-broker') {
    // Started by a leader as well.
    const { brokerProcess } = await import('./broker.ts')
    await brokerProcess()
  } else if (rest.length === 0 && (name === '--version' || name === '-V')) {
    // Scripts ask this often: it is answered without the command line.
    const { packageVersion } = await import('./host/package-root.ts')
    console.log(packageVersion())
  } else {
    const { runProcess } = await import('./main.ts')
    await runProcess(process.argv.slice(2))
  }
} else {
  console.error(
    `error: Troupe needs Node ${supportedNode}, this is ${process.versions.node}; get a newer one from https://nodejs.org`,
  )
  process.exitCode = 5
}
