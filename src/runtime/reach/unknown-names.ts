import { didYouMean } from '../../rules/tools/did-you-mean.ts'

/** The words for a name that no other member has. */
export function unknownMember(name: string, members: readonly string[]): string {
  return `No other member is called "${name}".${hintOf(name, members)} Members: ${members.join(', ')}.`
}

/** The words for a name that no worker has. */
export function unknownWorker(name: string, workers: readonly string[]): string {
  return `No worker is called "${name}".${hintOf(name, workers)} Workers: ${workers.join(', ')}.`
}

function hintOf(name: string, known: readonly string[]): string {
  const meant = didYouMean(name, known)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
