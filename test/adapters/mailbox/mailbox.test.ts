import { createDoorbell } from '../../../src/adapters/mailbox/watch/doorbell.ts'
import { mailWorld } from '../../contracts/mail-world.ts'
import { mailboxContract } from '../../contracts/mailbox.ts'

mailboxContract('journals in memory, one doorbell', () => mailWorld('memory', createDoorbell()))
mailboxContract('journals in files, no doorbell', () => mailWorld('file'))
