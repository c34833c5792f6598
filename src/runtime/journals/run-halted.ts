/**
 * A run stopped, or did not begin, because its disk takes nothing more. What happened until then is recorded, and
 * `resumeTeam` leads it on. The message names the disk and the cure, `cause` is what the system said.
 */
export class RunHalted extends Error {
  override readonly name = 'RunHalted'
}
