import { compareArms } from './api/arms.ts'
import type { Arm } from './api/arms.ts'
import { killWhileSubmitting } from './api/kill-while-submitting.ts'
import { processSeconds } from './api/load.ts'
import { withKey } from './api/rig.ts'
import type { Rig } from './api/rig.ts'
import { connect } from './api/rows.ts'
import { serverMemory } from './api/server-memory.ts'
import type { Figure } from './figure/figure.ts'
import { loadFigure } from './figure/figure.ts'

/** Submissions: beside the least code that stores a request, and what a SIGKILL leaves of them. */
export async function b03(
  rig: Rig,
  how: { readonly seconds: number; readonly rounds: number },
): Promise<Figure[]> {
  const before = loadFigure('before')
  const figures: Figure[] = []
  for (const connections of [32, 256]) figures.push(...(await submitting(rig, connections, how)))
  figures.push(...(await commits(rig, how.seconds)))
  const [request] = ours(rig).requests
  if (request !== undefined) figures.push(...(await serverMemory(rig, request)))
  const { acknowledged, missing } = await killWhileSubmitting(rig, submission)
  return [
    before,
    loadFigure('after'),
    ...figures,
    { name: 'killed.acknowledged', value: acknowledged, unit: 'requests' },
    { name: 'killed.missing', value: missing, unit: 'requests', limit: 0 },
  ]
}

const submission = JSON.stringify({
  ffmpeg_command: '-i {{in_1}} -vf "scale=-2:320" -c:a aac {{out_1}}',
  input_files: { in_1: 'https://media.example/sample.avi' },
  output_files: { out_1: 'small.mp4' },
  metadata: { order: 17 },
})
const headers = { 'Content-Type': 'application/json' }

function ours({ api }: Rig): Arm {
  const path = '/v1/run-ffmpeg-command'
  return {
    name: 'api-server',
    url: api.url,
    requests: [{ method: 'POST', path, headers: { ...headers, ...withKey }, body: submission }],
  }
}

async function submitting(
  rig: Rig,
  connections: number,
  how: { readonly seconds: number; readonly rounds: number },
): Promise<Figure[]> {
  const requests = [{ method: 'POST', path: '/', headers, body: submission }] as const
  const measured = await compareArms(
    [
      ours(rig),
      { name: 'bare-http-pg', url: rig.peers.bare, requests },
      { name: 'express-pg', url: rig.peers.express, requests },
    ],
    { connections, ...how },
  )
  const peer = measured.get('bare-http-pg')
  return [...measured].flatMap(([name, { perSecond, p99 }]) => [
    {
      name: `${name}.${connections}-connections`,
      value: perSecond,
      unit: 'per-second',
      ratio: perSecond / (peer?.perSecond ?? Number.NaN),
    },
    {
      name: `${name}.${connections}-connections.p99`,
      value: p99,
      unit: 'ms',
      ratio: p99 / (peer?.p99 ?? Number.NaN),
      ...(name === 'api-server' ? { limit: (peer?.p99 ?? Number.NaN) / 2 } : {}),
    },
  ])
}

/** Counts, which company on the machine does not change. */
async function commits(rig: Rig, seconds: number): Promise<Figure[]> {
  const client = await connect(rig.databaseUrl)
  try {
    const committed = async (): Promise<number> => {
      // The server's own sessions report their figures once a second at most.
      const found = await client.query<{ commits: string }>(
        `select pg_stat_force_next_flush(), pg_sleep(1.5), xact_commit as commits
         from pg_stat_database where datname = current_database()`,
      )
      return Number(found.rows[0]?.commits)
    }
    const [commitsBefore, cpuBefore] = [await committed(), await processSeconds(rig.api.pid)]
    const measured = await compareArms([ours(rig)], { connections: 256, seconds, rounds: 1 })
    const cpu = (await processSeconds(rig.api.pid)) - cpuBefore
    const rows = measured.get('api-server')?.answered ?? Number.NaN
    const warmedUp = (seconds * 2 + 1) / (seconds * 2)
    const requests = rows * warmedUp
    const commitCount = (await committed()) - commitsBefore
    return [
      { name: 'commits-per-request', value: commitCount / requests, unit: 'ratio', limit: 1 },
      { name: 'cpu-per-request', value: (cpu / requests) * 1_000, unit: 'ms' },
    ]
  } finally {
    await client.end()
  }
}
