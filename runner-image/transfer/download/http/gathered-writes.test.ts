import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { systemClock } from '../../../../common/runtime/system-effects.ts'
import { createDiskPace } from './disk-pace.ts'
import type { DiskPace } from './disk-pace.ts'
import { createGatheredWrites } from './gathered-writes.ts'
import { useScratch } from '../../../../testing/support/scratch.ts'

describe('gathered writes', () => {
  const bytes = randomBytes(5_000_003)
  const at = useScratch()

  for (const [how, isRead, paceOfDisk] of [
    ['copied to a quick disk', false, quick],
    ['read in place for a quick disk', true, quick],
    ['copied to a slow disk', false, slow],
    ['read in place for a slow disk', true, slow],
    ['read in place for a disk that is slow at times', true, slowAtTimes],
  ] as const) {
    it(`gathered writes put pieces that are ${how} where they belong`, async () => {
      const path = at('file')
      const file = await open(path, 'w')
      const target = { file, position: 7, onWritten: () => undefined }
      const writes = createGatheredWrites(target, paceOfDisk())
      for (let done = 0, turn = 1; done < bytes.length; turn++) {
        const piece = bytes.subarray(done, done + ((turn * 7_919) % 60_000) + 1)
        const memory = writes.memory()
        piece.copy(memory)
        await writes.add(isRead ? memory.subarray(0, piece.length) : piece)
        done += piece.length
      }
      await writes.done()
      await file.close()
      expect(target.position).to.equal(7 + bytes.length)
      expect((await readFile(path)).subarray(7).equals(bytes)).to.equal(true)
    })
  }

  for (const paceOfDisk of [quick, slow]) {
    it(`gathered writes report that a ${paceOfDisk.name} disk is full, on the next write and at the end`, () =>
      fillsUp(paceOfDisk()))
  }

  async function fillsUp(disk: DiskPace): Promise<void> {
    const file = await open('/dev/full', 'w')
    const writes = createGatheredWrites({ file, position: 0, onWritten: () => undefined }, disk)
    const goOn = async (): Promise<void> => {
      for (;;) await writes.add(bytes.subarray(0, 400_000))
    }
    try {
      expect(await goOn().catch(String)).to.include('ENOSPC')
      expect(await writes.done().catch(String)).to.include('ENOSPC')
    } finally {
      await file.close()
    }
  }
})

function quick(): DiskPace {
  return createDiskPace({ ...systemClock, monotonicMs: () => 0 })
}

function slow(): DiskPace {
  return { takesAtOnce: () => false, timed: (write) => write() }
}

/**
 * Each reading of the clock comes 30 ms after the one before: after a write, threads read it some
 * thirty times.
 */
function slowAtTimes(): DiskPace {
  let now = 0
  return createDiskPace({ ...systemClock, monotonicMs: () => (now += 30) })
}
