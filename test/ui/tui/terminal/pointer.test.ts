import { expect, test } from 'vitest'
import { partPointers } from '../../../../src/ui/tui/terminal/pointer.ts'

const click = { does: 'click', x: 2, y: 3 }

test('reports of the mouse stand between keys, in their order', () => {
  expect(partPointers('a\u001b[<0;3;4Mb\u001b[<0;3;4m')).toEqual({ parts: ['a', click, 'b'], rest: '' })
})

test('a report is one wherever the terminal cut it after its first two characters', () => {
  const report = '\u001b[<0;3;4M'
  for (let at = 2; at < report.length; at += 1) {
    const { parts, rest } = partPointers(report.slice(0, at))
    expect(parts).toEqual([])
    expect(partPointers(rest + report.slice(at))).toEqual({ parts: [click], rest: '' })
  }
})
