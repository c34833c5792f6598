/** A vague task that nobody was there to explain. */
export class VagueTask extends Error {
  override readonly name = 'VagueTask'
}
