import type { TestedTeam } from '../../../runtime/team-tests/test-team.ts'
import { plainText } from '../../text/plain-text.ts'
import { diagnosticsText, shortPath } from './diagnostics-text.ts'

/** Tests as a JUnit report, which CI systems read. `junitText(tested, cwd)` → `<?xml …` */
export function junitText(tested: readonly TestedTeam[], cwd: string): string {
  const failed = tested.filter(({ ok }) => !ok).length
  const seconds = (tested.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1_000).toFixed(3)
  const cases = tested.map(({ file, ok, diagnostics, duration_ms }) => {
    const head = `<testcase classname="troupe" name="${escaped(shortPath(file, cwd))}" time="${(duration_ms / 1_000).toFixed(3)}"`
    if (ok) return `    ${head}/>`
    const [first] = diagnostics
    const failure = `<failure message="${escaped(first?.message ?? '')}">${escaped(diagnosticsText(diagnostics, cwd))}</failure>`
    return `    ${head}>${failure}</testcase>`
  })
  const suite = `<testsuite name="troupe test" tests="${tested.length}" failures="${failed}" time="${seconds}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  ${suite}\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`
}

/** XML knows no control characters, not even as references. */
function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  return plainText(text).replaceAll(/[&<>"]/g, (sign) => `&${names[sign]};`)
}
