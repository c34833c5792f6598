/**
 * A run stopped because its disk takes nothing more: what happened until then is recorded, `resumeTeam` leads it on. The
 * message names the disk and the cure, `cause` is what the system said.
 */
export class RunHalted extends Error {
  override readonly name = 'RunHalted'
}
