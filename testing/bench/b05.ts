import { Agent, get } from 'node:http'
import { loadFigure } from './figure/figure.ts'
import type { Rig } from './api/rig.ts'
import { withKey } from './api/rig.ts'
import type { Figure } from './figure/figure.ts'
import { median, percentile } from './figure/statistics.ts'

/** Lists: what an offset costs beside none, and beside plain LIMIT and OFFSET. */
export async function b05(
  { api, peers, rows }: Rig,
  { rounds }: { readonly rounds: number },
): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = loadFigure('before')
  const figures: Figure[] = []
  try {
    for (const { name, path, count } of lists(rows)) {
      for (const limit of [20, 1_000]) {
        const offsets = [0, 0.001, 0.1, 0.999].map((part) => Math.floor(part * count))
        const times = await interleaved(offsets, rounds, (offset) =>
          timed(agent, `${api.url}${path}limit=${limit}&offset=${offset}`),
        )
        figures.push(...pageFigures(`${name}.limit-${limit}`, offsets, times))
      }
    }
    figures.push(...(await besidePlain(agent, { api: api.url, peer: peers.bare, rows, rounds })))
  } finally {
    agent.destroy()
  }
  return [before, loadFigure('after'), ...figures]
}

function lists(rows: number) {
  return [
    { name: 'commands', path: '/v1/commands?', count: rows },
    { name: 'commands.QUEUED', path: '/v1/commands?status=QUEUED&', count: rows / 3 },
    { name: 'commands.FAILED', path: '/v1/commands?status=FAILED&', count: rows / 1_000 },
    { name: 'files', path: '/v1/files?', count: rows },
    { name: 'files.STORED', path: '/v1/files?status=STORED&', count: (rows * 2) / 3 },
  ]
}

/** Forth and back, so that what grows or shrinks meanwhile meets all offsets alike. */
async function interleaved(
  offsets: readonly number[],
  rounds: number,
  measure: (offset: number) => Promise<number>,
): Promise<number[][]> {
  const times: number[][] = []
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const places = offsets.map((_, place) => place)
    const one: number[] = []
    for (const place of round % 2 === 0 ? places : places.toReversed()) {
      one[place] = await measure(offsets[place] ?? 0)
    }
    if (round >= warmUps) times.push(one)
  }
  return times
}

/** Connections prepare their statements at first, and a plan is made for good after the fifth time. */
const warmUps = 20

function pageFigures(
  name: string,
  offsets: readonly number[],
  times: readonly number[][],
): Figure[] {
  return offsets.flatMap((offset, place) => {
    const own = times.map((round) => round[place] ?? Number.NaN)
    const ratios = times.map((round) => (round[place] ?? Number.NaN) / (round[0] ?? Number.NaN))
    return [
      {
        name: `${name}.offset-${offset}.p50`,
        value: median(own),
        unit: 'ms' as const,
        ratio: median(ratios),
        limit: 1.5 * median(times.map((round) => round[0] ?? Number.NaN)),
      },
      { name: `${name}.offset-${offset}.p99`, value: percentile(own, 0.99), unit: 'ms' as const },
    ]
  })
}

async function besidePlain(
  agent: Agent,
  of: { api: string; peer: string; rows: number; rounds: number },
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const offset of [0, Math.floor(of.rows * 0.999)]) {
    const query = `limit=20&offset=${offset}`
    const arms = [`${of.api}/v1/commands?${query}`, `${of.peer}/list?${query}`]
    const times = await interleaved([0, 1], Math.ceil(of.rounds / 4), (arm) =>
      timed(agent, arms[arm] ?? ''),
    )
    const plain = median(times.map((round) => round[1] ?? Number.NaN))
    const ours = median(times.map((round) => round[0] ?? Number.NaN))
    figures.push(
      { name: `plain-offset.offset-${offset}.p50`, value: plain, unit: 'ms' },
      { name: `beside-plain.offset-${offset}.p50`, value: ours, unit: 'ms', ratio: ours / plain },
    )
  }
  return figures
}

/** Milliseconds from the request to the last byte of the answer. */
function timed(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    get(url, { agent, headers: withKey }, (response) => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began)
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
      response.once('error', reject)
    }).once('error', reject)
  })
}
