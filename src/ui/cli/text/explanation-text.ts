import type { explainCall } from '../../../runtime/permissions/permission-report.ts'
import type { Paint } from '../../text/colour.ts'
import { padWidth, plainLine } from '../../text/terminal-text.ts'

type Explanation = Awaited<ReturnType<typeof explainCall>>

const colours = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** The way of a call through the cascade for people: what was decided first, then every station with all its rules. */
export function explanationText(call: string, explanation: Explanation, paint: Paint): string {
  const { decision, mode, bounds, needs } = explanation
  const place = decision.at === undefined ? '' : `, ${decision.at}`
  const head = paint(colours[decision.behavior], decision.behavior.toUpperCase())
  return [
    `${head}  ${plainLine(call)}  (${mode} mode)`,
    `  ${decision.source}${place}: ${plainLine(decision.reason)}`,
    '',
    `bounds  ${plainLine(bounds)}`,
    ...(['deny', 'ask', 'allow'] as const).flatMap((list) => [
      list,
      ...explanation[list].flatMap((found) => sourceLines(found, paint)),
    ]),
    'mode',
    ...needs.map(
      ({ what, granted }) => `  ${plainLine(what)}: ${granted ? 'granted' : 'not granted'} by ${mode} mode itself`,
    ),
  ].join('\n')
}

function sourceLines({ source, rules }: Explanation['deny'][number], paint: Paint): readonly string[] {
  if (rules.length === 0) return [paint('dim', `  ${padWidth(source, 8)} no rules`)]
  return rules.map(({ rule, at, matches, why }) => {
    const line = `  ${padWidth(source, 8)} ${plainLine(rule)}${at === undefined ? '' : `  ${at}`}  ${plainLine(why)}`
    return matches ? line : paint('dim', line)
  })
}
