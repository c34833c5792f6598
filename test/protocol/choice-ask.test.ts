import { expect, test } from 'vitest'
import { choiceAskIn } from '../../src/protocol/work/choice-ask.ts'

const body = '{"choose":"mode","value":"bypassPermissions"}'

test('only a person chooses, by control mail, and only what there is', () => {
  expect(choiceAskIn({ from: 'user', kind: 'control', body })).toEqual({ choose: 'mode', value: 'bypassPermissions' })
  expect(choiceAskIn({ from: 'ana@duo', kind: 'control', body })).toBeNull()
  expect(choiceAskIn({ from: 'user', kind: 'text', body })).toBeNull()
  for (const wrong of ['{', '{"choose":"mode","value":"none"}', '{"choose":"tools","value":"x"}', 'mode: plan'])
    expect(choiceAskIn({ from: 'user', kind: 'control', body: wrong })).toBeNull()
})
