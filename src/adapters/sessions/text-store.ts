import type { TextStore } from '../../protocol/tools/text-store.ts'
import { ArtifactWriter, sweepUnfinished } from './artifact-writer.ts'
import { storeArtifact } from './artifacts.ts'

/** Bytes that one member may put aside in all, so that no member fills the disk. */
const defaultMost = 1 << 30

/**
 * The long texts of one member, kept as artifacts of its run. Once they are `most` bytes it takes no more.
 *
 * @param folder `<run>/artifacts`
 * @example textStore(run.artifacts).put(longText).path
 */
export function textStore(folder: string, most = defaultMost): TextStore {
  let kept = 0
  let swept = false
  const refuseWhenFull = (): void => {
    if (kept >= most) throw new Error(`${most} bytes of this member are in ${folder} already`)
  }
  return {
    put(text) {
      refuseWhenFull()
      const { sha256, path, bytes } = storeArtifact(folder, text)
      kept += bytes
      return { sha256, path }
    },
    open() {
      refuseWhenFull()
      // Once is enough: what this process begins it also ends.
      if (!swept) sweepUnfinished(folder)
      swept = true
      const writer = new ArtifactWriter(folder)
      return {
        push: (text) => writer.push(text),
        end() {
          const { sha256, path, bytes, cut } = writer.end()
          kept += bytes
          return { sha256, path, cut }
        },
        discard: () => writer.discard(),
      }
    },
  }
}
