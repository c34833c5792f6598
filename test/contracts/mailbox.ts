import { afterEach, beforeEach, describe } from 'vitest'
import type { MailWorld } from './mail-world.ts'
import { boundsContract } from './mailbox/bounds.ts'
import { deliveryContract } from './mailbox/delivery.ts'
import { genuineMailContract } from './mailbox/genuine-mail.ts'
import { recipientsContract } from './mailbox/recipients.ts'
import { restartContract } from './mailbox/restart.ts'
import { troubleContract } from './mailbox/trouble.ts'
import { unreadableMailContract } from './mailbox/unreadable-mail.ts'

/** What every mailbox does, whatever keeps its owner's journal. */
export function mailboxContract(name: string, makeWorld: () => MailWorld): void {
  describe(`mailbox contract: ${name}`, () => {
    let current: MailWorld
    beforeEach(() => {
      current = makeWorld()
    })
    afterEach(() => current.remove())
    const world = () => current
    deliveryContract(world)
    recipientsContract(world)
    boundsContract(world)
    unreadableMailContract(world)
    genuineMailContract(world)
    restartContract(world)
    troubleContract(world)
  })
}
