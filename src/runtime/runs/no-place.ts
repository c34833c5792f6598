/** Workers were to run where this machine, or this terminal, has no place for them. */
export class NoPlace extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NoPlace'
  }
}
