import { compareArms } from './api/arms.ts'
import type { Arm } from './api/arms.ts'
import { changeWhile } from './api/change-while.ts'
import { withKey } from './api/rig.ts'
import type { Rig } from './api/rig.ts'
import { connect } from './api/rows.ts'
import { statementsSent } from './api/load.ts'
import type { Figure } from './figure/figure.ts'
import { loadFigure } from './figure/figure.ts'
import { percentile } from './figure/statistics.ts'

const polled = 640
const connections = 64

/** Polls of commands that change: a tenth of them finds something new. */
export async function b04(
  rig: Rig,
  how: { readonly seconds: number; readonly rounds: number },
): Promise<Figure[]> {
  const before = loadFigure('before')
  const client = await connect(rig.databaseUrl)
  try {
    const ids = await runningCommands(client)
    const statementsBefore = await statementsSent(rig.api.metricsUrl)
    const measured = await changeWhile(client, ids, () =>
      compareArms(arms(rig, ids), { connections, ...how }),
    )
    const statements = (await statementsSent(rig.api.metricsUrl)) - statementsBefore
    const [own, peer, hello] = ['api-server', 'bare-http-pg', 'express-hello'].map((name) =>
      measured.get(name),
    )
    const stale = await staleness(rig, client, ids)
    const warmedUp = (how.rounds * how.seconds * 2 + 1) / (how.rounds * how.seconds * 2)
    return [
      before,
      loadFigure('after'),
      { name: 'express-hello', value: hello?.perSecond ?? Number.NaN, unit: 'per-second' },
      {
        name: 'bare-http-pg',
        value: peer?.perSecond ?? Number.NaN,
        unit: 'per-second',
        ratio: (peer?.perSecond ?? Number.NaN) / (hello?.perSecond ?? Number.NaN),
      },
      {
        name: 'api-server',
        value: own?.perSecond ?? Number.NaN,
        unit: 'per-second',
        ratio: (own?.perSecond ?? Number.NaN) / (hello?.perSecond ?? Number.NaN),
      },
      {
        name: 'api-server.p99',
        value: own?.p99 ?? Number.NaN,
        unit: 'ms',
        ratio: (own?.p99 ?? Number.NaN) / (peer?.p99 ?? Number.NaN),
      },
      {
        name: 'statements-per-request',
        unit: 'ratio',
        limit: 0.1,
        value: statements / ((own?.answered ?? Number.NaN) * warmedUp),
      },
      { name: 'staleness.max', value: percentile(stale, 1), unit: 'ms', limit: 250 },
      ...(await otherReads(rig, client, how)),
    ]
  } finally {
    await client.end()
  }
}

function arms({ api, peers }: Rig, ids: readonly string[]): Arm[] {
  return [
    {
      name: 'api-server',
      url: api.url,
      requests: ids.map((id) => ({ method: 'GET', path: `/v1/commands/${id}`, headers: withKey })),
    },
    {
      name: 'bare-http-pg',
      url: peers.bare,
      requests: ids.map((id) => ({ method: 'GET', path: `/${id}` })),
    },
    helloArm({ peers }),
  ]
}

function helloArm({ peers }: Pick<Rig, 'peers'>): Arm {
  return { name: 'express-hello', url: peers.express, requests: [{ method: 'GET', path: '/' }] }
}

/** Pages of 20 and records of files, which are read from Postgres for each request or for those of the same moment. */
async function otherReads(
  rig: Rig,
  client: Client,
  how: { readonly seconds: number; readonly rounds: number },
): Promise<Figure[]> {
  const found = await client.query<{ id: string }>('select file_id as id from files limit $1', [
    polled,
  ])
  const get = (path: string) => ({ method: 'GET' as const, path, headers: withKey })
  const arm = (name: string, paths: readonly string[]): Arm => ({
    name,
    url: rig.api.url,
    requests: paths.map(get),
  })
  const measured = await compareArms(
    [
      arm('commands.page', ['/v1/commands?limit=20']),
      arm('files.page', ['/v1/files?limit=20']),
      arm(
        'file',
        found.rows.map(({ id }) => `/v1/files/${id}`),
      ),
      helloArm(rig),
    ],
    { connections, ...how },
  )
  const hello = measured.get('express-hello')?.perSecond ?? Number.NaN
  return [...measured].map(([name, { perSecond }]) => ({
    name: `reads.${name}`,
    value: perSecond,
    unit: 'per-second' as const,
    ratio: perSecond / hello,
  }))
}

type Client = Awaited<ReturnType<typeof connect>>

async function runningCommands(client: Client): Promise<string[]> {
  const found = await client.query<{ id: string }>(
    `update commands set status = 'PROCESSING', stage = 'FFMPEG_PROCESSING', progress_percent = 1
     where command_id in (
       select command_id from commands
       where status in ('QUEUED', 'PROCESSING') and attempt is not null limit $1
     ) returning command_id as id`,
    [polled],
  )
  return found.rows.map(({ id }) => id)
}

/** How long a change that is committed stays unseen, while one client polls as fast as it can. */
async function staleness({ api }: Rig, client: Client, ids: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const [place, id] of ids.slice(0, 30).entries()) {
    const percent = 50 + place / 100
    const poll = async (): Promise<boolean> => {
      const answer = await fetch(`${api.url}/v1/commands/${id}`, { headers: withKey })
      const record: unknown = await answer.json()
      const shown = typeof record === 'object' && record !== null ? Object.entries(record) : []
      return shown.some(([key, value]) => key === 'progress_percent' && value === percent)
    }
    await poll()
    await client.query(
      'update commands set progress_percent = $2, version = version + 1 where command_id = $1',
      [id, percent],
    )
    const began = performance.now()
    while (!(await poll())) continue
    times.push(performance.now() - began)
  }
  return times
}
