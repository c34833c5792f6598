import { statfsSync } from 'node:fs'
import { errorCode } from '../../fs/error-code.ts'

/** Filesystems whose other writers are on other machines or behind a bridge, by the magic numbers of statfs(2). */
const remote = new Map([
  [0x6969, 'NFS'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB'],
  [0x01_02_19_97, '9p'],
  [0x65_73_55_46, 'FUSE'],
  [0x00_c3_64_00, 'Ceph'],
  [0x0b_d0_0b_d0, 'Lustre'],
  [0x01_16_19_70, 'GFS2'],
  [0x5346_414f, 'AFS'],
])

/**
 * Why the system's notifications cannot be trusted in a folder, or null where they can: a kernel reports only what goes
 * through itself.
 * @example pollingReason('/mnt/team-share') // 'it lies on NFS, which does not report what other machines write'
 */
export function pollingReason(folder: string): string | null {
  try {
    const name = remote.get(statfsSync(folder).type >>> 0)
    return name === undefined ? null : `it lies on ${name}, which does not report what other machines write`
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return null
  }
}
