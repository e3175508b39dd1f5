import { Registry } from 'prom-client'
import { createPostgresStore } from '../../../common/database/postgres-store.ts'
import { newCommand, newId } from '../../store-contract/fixtures.ts'
import { openTestDatabase } from '../database.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { createObjectStore } from '../../../common/storage/create-object-store.ts'
import { planWith } from '../plans.ts'
import { gatewayAudience, jobName } from '../../../common/domain/resource-names.ts'
import type { NewCommand } from '../../../common/store/commands.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { openTestBucket } from '../object-store.ts'
import type { StageTime } from '../../../common/store/lifecycle/stage-times.ts'
import type { PodFacts } from '../../../operator/observe/pod-facts.ts'
import type { GatewayDeps } from '../../../operator/gateway/calls/gateway-deps.ts'
import { createWarmRunnerWaiters } from '../../../operator/warm/warm-runner-waiters.ts'
import type { LeaderPlace } from '../../../operator/warm/warm-runner-waiters.ts'
import { createGateway } from '../../../operator/gateway/gateway.ts'
import { grantOf, success } from '../../../operator/gateway/messages.fixture.ts'
import {
  namespace,
  serviceAccount,
  testCluster,
} from '../../../operator/gateway/identity/cluster.fixture.ts'
import { createRunnerIdentity } from '../../../operator/gateway/identity/runner-identity.ts'
import { createGatewayMetrics } from '../../../operator/gateway/gateway-metrics.ts'
import { createGatewayServer } from '../../../operator/gateway/server.ts'
import { admitWaiting } from '../admit-waiting.ts'
import { pod } from './snapshot.ts'

const plan = planWith({
  vcpuPerCommand: 16,
  vcpuTotal: null,
  maxRunSeconds: 3_600,
  maxFileMbytes: 100,
})

type Gateway = Awaited<ReturnType<typeof openGateway>>

/** One gateway for the tests of the present `describe`. */
export function useGateway(): Gateway {
  const gateway = {} as Gateway
  before(async function () {
    // The first use on a machine builds the S3 server.
    this.timeout(600_000)
    Object.assign(gateway, await openGateway())
  })
  after(() => gateway.close())
  return gateway
}

/** A gateway behind a real socket, over a real database and a real S3 server. */
export async function openGateway(
  change: Partial<GatewayDeps> = {},
  { maxConnections = 1_100, connectionsPerAddress = 0, inFlightMbytes = 64 } = {},
) {
  const cluster = await testCluster()
  const { database, close: closeDatabase } = await openTestDatabase()
  const bucket = await openTestBucket()
  const objects = createObjectStore(bucket)
  const store = createPostgresStore(database)
  const effects = systemEffects()
  const pods = testPods()
  const notified: string[] = []
  const stages: StageTime[] = []
  let warmRunners = 0
  const waiters = createWarmRunnerWaiters(change.effects?.clock ?? effects.clock)
  const place: { now: LeaderPlace } = { now: { kind: 'here' } }
  const storageBase = `${bucket.endpoint}/${bucket.bucket}`
  const deps: GatewayDeps = {
    identity: createRunnerIdentity({
      clusterKeys: cluster.keys,
      clock: effects.clock,
      audience: gatewayAudience,
      namespaces: [namespace],
      serviceAccount,
      namespaceOf: () => null,
    }),
    store,
    objects,
    pods,
    notify: (commandId) => notified.push(commandId),
    lifecycle: { stage: (time) => void stages.push(time) },
    warmRunners: { waiters, place: () => place.now },
    effects,
    settings: {
      plans: { pro: plan, tiny: { ...plan, storageMbytes: 1 } },
      storageBases: [storageBase],
      network: { allowCidrs: ['10.0.0.0/8'], denyCidrs: [], denyEndpoints: ['db:5432'] },
      overlap: { inputs: true, outputs: true },
      fullFetchBytes: 1_000_000,
      putUrlSeconds: 900,
      fileCount: 10_000,
      maxPixels: 67_108_864,
      runner: {
        scratchMbytes: 1_024,
        planScratchMbytes: { pro: 1_024, tiny: 128 },
        profiles: {},
        planProfiles: {},
        memoryPerVcpuMbytes: 1_024,
        maxAttempts: 3,
        startAllowanceSeconds: 600,
        placeAllowanceSeconds: null,
        transferAllowanceSeconds: 900,
      },
    },
    logger: silentLogger,
    ...change,
  }
  const registry = new Registry()
  const metrics = createGatewayMetrics(registry)
  const server = createGatewayServer(
    {
      gateway: createGateway({ onRefusal: metrics.limited, ...deps }),
      effects,
      metrics,
      logger: silentLogger,
    },
    {
      port: 0,
      host: '127.0.0.1',
      tls: null,
      maxConnections,
      connectionsPerAddress,
      inFlightMbytes,
    },
  )
  await server.start()
  const url = `http://127.0.0.1:${server.port()}`

  const call = async (
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
    signal: AbortSignal | null = null,
  ) => {
    const answer = await fetch(url + path, {
      method,
      signal,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const parsed: unknown = text === '' ? null : JSON.parse(text)
    return { status: answer.status, headers: answer.headers, body: parsed }
  }

  return {
    store,
    objects,
    pods,
    notified,
    stages,
    waiters,
    place,
    cluster,
    storageBase,
    url,
    registry,
    call,
    command,
    claimed,
    storedFile,
    warmRunner,
    query: database.query,
    /** The attempt is gone, and its Job starts the next pod. */
    lose(commandId: string, attempt: string) {
      const loss = { commandId, jobGeneration: 1, attempt, podUid: null, reason: 'Disrupted' }
      return store.loseAttempt({ ...loss, charged: false, sameGeneration: true, maxAttempts: 3 })
    },
    /** A command whose output is stored and whose success is reported. */
    async storedOutput() {
      const { command: given, pod } = await claimed()
      const body = Buffer.from('twenty bytes of video')
      const file = { path: 'o.mp4', sizeBytes: body.length, contentType: 'video/mp4' }
      const uploads = { files: [{ ...file, attachment: false }] }
      const grant = grantOf((await pod.post('/v1/uploads', uploads)).body)
      const put = await fetch(grant.url ?? '', {
        method: 'PUT',
        body,
        headers: grant.headers ?? {},
      })
      if (put.status !== 200) throw new Error(`PUT answered ${put.status}`)
      const post = await pod.post('/v1/result', success)
      const { accountId, commandId, source } = given
      const key = `public/${accountId}/${commandId}/${pod.podUid}/o.mp4`
      return { pod, post, stored: { accountId, commandId, source, key } }
    },
    async close() {
      await server.stop()
      objects.close()
      await closeDatabase()
    },
  }

  /** An admitted command and a pod of its Job, which has made no request yet. */
  async function command(given: Partial<NewCommand> = {}) {
    const accountId = given.accountId ?? newId()
    await store.ensureAccount({ accountId, name: `a${accountId}`, plan: 'pro' })
    const command = { ...newCommand(accountId), ...given }
    const { commandId } = command
    await store.importCommand({ ...command, resourceUid: newId() })
    await admitWaiting(store, accountId)
    return { ...command, accountId, commandId, pod: () => runnerOf(commandId) }
  }

  /** A command and the pod to which it is assigned. */
  async function claimed(given: Partial<NewCommand> = {}) {
    const admitted = await command(given)
    const pod = await admitted.pod()
    await pod.assignment()
    return { command: admitted, pod }
  }

  /** The admitted work on a file to store, of an account that may store 1 MB. */
  async function storedFile(url: string) {
    const [accountId, fileId] = [newId(), newId()]
    await store.ensureAccount({ accountId, name: `a${accountId}`, plan: 'tiny' })
    const file = { fileId, accountId, environmentName: null, url, isPrivate: true }
    await store.importFile({ ...file, resourceUid: newId() })
    await admitWaiting(store, accountId)
    return { accountId, fileId, pod: await runnerOf(fileId) }
  }

  function runnerOf(commandId: string, jobGeneration = 1) {
    return podOf(jobName(commandId, jobGeneration))
  }

  /** A pod that waits for a command. */
  async function warmRunner() {
    const warmRunnerJob = `ffw-0a1b2c3d-${(warmRunners += 1)}`
    const pod = await podOf(warmRunnerJob)
    const { podUid } = pod
    const waits = (waited = '0', signal?: AbortSignal) =>
      call(pod.token, 'GET', `/v1/assignment?waited=${waited}`, undefined, signal)
    return {
      ...pod,
      warmRunnerJob,
      waits,
      /** @returns the answer to come, once the pod is offered */
      async offered(waited = '0', signal?: AbortSignal) {
        const isOffered = () => waiters.offers().some((offer) => offer.podUid === podUid)
        const { promise, resolve } = Promise.withResolvers<undefined>()
        const unsubscribe = waiters.onChange(() => (isOffered() ? resolve(undefined) : undefined))
        const answer = waits(waited, signal)
        await promise
        unsubscribe()
        return { answer }
      },
      /** Binds as the leader does. */
      async bind(commandId: string) {
        const bound = await store.bindWarmRunner({
          commandId,
          podUid,
          warmRunnerJob,
          waitedSeconds: 1,
        })
        if (bound.kind !== 'bound') throw new Error(bound.kind)
        return waiters.answer(podUid, bound.row)
      },
    }
  }

  async function podOf(job: string) {
    const podUid = newId()
    const podName = `${job}-${podUid.slice(-5)}`
    const token = await cluster.token({ podName, podUid })
    return {
      podUid,
      podName,
      token,
      assignment: () => call(token, 'GET', '/v1/assignment'),
      post: (path: string, body: unknown) => call(token, 'POST', path, body),
    }
  }
}

/** The state of the cluster's pods, changed by hand. */
export function testPods() {
  const pods = new Map<string, PodFacts>()
  const listeners = new Set<(commandId: string) => void>()
  return {
    podByUid: (podUid: string) => pods.get(podUid) ?? null,
    subscribe(listener: (commandId: string) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    show(commandId: string, podUid: string, change: Partial<PodFacts> = {}) {
      pods.set(podUid, pod({ commandId, uid: podUid, ...change }))
      for (const listener of listeners) listener(commandId)
    },
  }
}
