#!/usr/bin/env node
import { isSupportedNode, supportedNode } from './node-version.ts'

// Nothing else is imported before the check: an older Node would fail inside a package, with a stack.
if (isSupportedNode(process.versions.node)) {
  const { runProcess } = await import('./main.ts')
  await runProcess(process.argv.slice(2))
} else {
  console.error(
    `error: Troupe needs Node ${supportedNode}, this is ${process.versions.node}; get a newer one from https://nodejs.org`,
  )
  process.exitCode = 5
}
