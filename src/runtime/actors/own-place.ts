import { homedir } from 'node:os'

/** The place of this process, for whoever names no other: read when it is asked for. */
export const ownPlace = {
  get cwd(): string {
    return process.cwd()
  },
  get home(): string {
    return homedir()
  },
  get env(): Readonly<Record<string, string | undefined>> {
    return process.env
  },
}
