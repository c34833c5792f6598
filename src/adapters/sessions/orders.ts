import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ordersSchema, type Orders } from '../../protocol/work/orders.ts'
import { errorCode } from '../fs/error-code.ts'
import { parseJson } from '../fs/parse-json.ts'
import { writeJson } from './write-json.ts'

/** Where a leader's orders to workers in other processes lie. */
export function ordersFolder(dir: string): string {
  return join(dir, 'orders')
}

/** Replaces the orders of one worker; only the leader does. */
export function writeOrders(dir: string, orders: Orders): void {
  const file = join(ordersFolder(dir), `${orders.member}.json`)
  try {
    writeJson(file, orders)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeJson(file, orders)
  }
}

/** The orders of one worker; null when there are none or they cannot be read. */
export function readOrders(dir: string, member: string): Orders | null {
  try {
    const parsed = ordersSchema.safeParse(parseJson(readFileSync(join(ordersFolder(dir), `${member}.json`), 'utf8')))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return null
  }
}

/**
 * The orders of one worker as they are at each asking. The file is read again only when it was replaced, so that asking
 * before every call costs a look at its date. What cannot be read leaves the orders as they were.
 *
 * @example const orders = latestOrders(run.dir, 'historian'); orders()?.policy
 */
export function latestOrders(dir: string, member: string): () => Orders | null {
  const file = join(ordersFolder(dir), `${member}.json`)
  let seen = ''
  let orders: Orders | null = null
  return () => {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false })
    const version = status === undefined ? seen : `${status.ino} ${status.mtimeNs}`
    if (version !== seen) {
      orders = readOrders(dir, member) ?? orders
      seen = version
    }
    return orders
  }
}
