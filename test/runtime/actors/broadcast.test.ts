import { expect, test } from 'vitest'
import { broadcast } from '../../../src/runtime/actors/broadcast.ts'

test('what a listener causes is told after the item that caused it, to all in one order', () => {
  const { publish, subscribe } = broadcast<number>()
  const first: number[] = []
  const second: number[] = []
  subscribe((item) => {
    first.push(item)
    if (item === 1) publish(2)
  })
  subscribe((item) => second.push(item))
  publish(1)
  publish(3)
  expect(first).toEqual([1, 2, 3])
  expect(second).toEqual([1, 2, 3])
})

test('a listener that left hears nothing more', () => {
  const { publish, subscribe } = broadcast<number>()
  const heard: number[] = []
  const leave = subscribe((item) => heard.push(item))
  publish(1)
  leave()
  publish(2)
  expect(heard).toEqual([1])
})

test('a listener that throws stops the telling, and the next item is told again from the start', () => {
  const { publish, subscribe } = broadcast<number>()
  const heard: number[] = []
  const leave = subscribe(() => {
    throw new Error('broken')
  })
  subscribe((item) => heard.push(item))
  expect(() => publish(1)).toThrow('broken')
  leave()
  publish(2)
  expect(heard).toEqual([2])
})
