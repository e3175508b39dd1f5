import { systemClock } from '../../common/runtime/system-effects.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { loadFigure } from '../../testing/bench/figure/figure.ts'
import { median } from '../../testing/bench/figure/statistics.ts'
import { startConsole } from './console.fixture.ts'
import { countFrames, memoryOf, paintTimes, startLive } from './under-load.ts'
import type { Figure } from '../../testing/bench/figure/figure.ts'
import type { PageMemory } from './under-load.ts'

const commands = 1_000
const changesAtOnce = 20
const everyMs = 100
const samples = 6

/**
 * The console's list in Chromium, with the API server and PostgreSQL on the same machine: 200 changes a second of 1,000
 * commands that run. The memory is that after a collection, at the start and at each sixth of the time.
 */
export async function b17(
  { minutes }: { readonly minutes: number },
  say: (text: string) => void,
): Promise<Figure[]> {
  const at = await startConsole({})
  try {
    await at.open('commands')
    const loads = 5
    const bare = await paintTimes(at, `${at.app.url}/`, loads)
    const page = await paintTimes(at, `${at.app.url}/console/commands`, loads)
    say(`b17: starting ${commands} commands (usually a minute)`)
    const live = await startLive(at, commands)
    await at.open('commands')
    // Data made once, such as compiled code, do not count as growth.
    await live.change(commands)
    await at.page.getByText('Encoding').first().waitFor()
    const asked = at.browser.requested.length
    const frames = await countFrames(at)
    const memory = [await memoryOf(at)]
    const beganAt = systemClock.monotonicMs()
    let changes = 0
    let due = beganAt
    while (systemClock.monotonicMs() - beganAt < 60_000 * minutes) {
      await live.change(changesAtOnce)
      changes += changesAtOnce
      due = Math.max(due + everyMs, systemClock.monotonicMs() - 1_000)
      await sleep(systemClock, Math.max(0, due - systemClock.monotonicMs()))
      const done = (systemClock.monotonicMs() - beganAt) / (60_000 * minutes)
      if (done >= memory.length / samples) {
        memory.push(await memoryOf(at))
        say(`b17: ${Math.round(100 * Math.min(1, done))} %, ${describe(memory.at(-1))}`)
      }
    }
    const seconds = (systemClock.monotonicMs() - beganAt) / 1_000
    const { perSecond, longestMs } = await frames.stop()
    const sorted = perSecond.toSorted((a, b) => a - b)
    const others = at.browser.requested.slice(asked).filter((url) => !url.endsWith('/v1/events'))
    const streams = at.browser.requested.slice(asked).length - others.length
    return [
      { name: 'b17.changes', value: changes / seconds, unit: 'per-second' },
      { name: 'b17.frames.median', value: median(perSecond), unit: 'per-second' },
      {
        name: 'b17.frames.p1',
        value: sorted[Math.floor(sorted.length / 100)] ?? NaN,
        unit: 'per-second',
      },
      { name: 'b17.frame.longest', value: longestMs, unit: 'ms' },
      ...memory.flatMap(({ heapBytes, nodes }, index): Figure[] => [
        { name: `b17.heap.${index}`, value: heapBytes / 1_048_576, unit: 'MB' },
        { name: `b17.nodes.${index}`, value: nodes, unit: 'count' },
      ]),
      { name: 'b17.streams-reopened', value: streams, unit: 'requests' },
      { name: 'b17.other-requests', value: others.length, unit: 'requests' },
      { name: 'b17.paint.bare', value: median(bare), unit: 'ms' },
      {
        name: 'b17.paint.commands',
        value: median(page),
        unit: 'ms',
        ratio: median(page) / median(bare),
      },
      loadFigure('after'),
    ]
  } finally {
    await at.close()
  }
}

function describe(memory: PageMemory | undefined): string {
  const { heapBytes = NaN, nodes = NaN } = memory ?? {}
  return `${(heapBytes / 1_048_576).toFixed(1)} MB, ${nodes} nodes`
}
