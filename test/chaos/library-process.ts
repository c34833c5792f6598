import { openMailbox } from '../../src/runtime/mail/open-mailbox.ts'

/**
 * One life of a program that knows the library alone: `node library-process.ts <run> <home> <name> <from> <to>` sends the mails
 * with these numbers to the writer, or takes mail as the writer. Prints a line for each mail that is confirmed.
 */
const [dir = '', home = '', name = '', from = '0', to = '0'] = process.argv.slice(2)

const box = openMailbox(dir, `${name}@demo`, { home })

function send(n: number): void {
  const sent = box.send({ to: 'writer@demo', kind: 'text', body: `${n}`, key: `k${n}` })
  if (!sent.ok) throw new Error(sent.error)
  console.log(`sent ${n}`)
}

if (name === 'writer') {
  for (const mail of box.receive()) {
    box.done(mail.id)
    console.log(`done ${mail.sender} ${mail.body}`)
  }
} else for (let n = Number(from); n <= Number(to); n += 1) send(n)
box.close()
