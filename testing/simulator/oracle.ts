import { isFinal, rank } from '../../common/domain/states.ts'
import { largestCommandBytes, storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import type { FakeObject } from './kube-apiserver/objects/fake-object.ts'
import { endProblem, unrestOf } from './expected-end.ts'
import { twinAnnotation } from './cluster/job-controller.ts'
import { createShownSuccesses } from './world/shown-successes.ts'
import { hasJob } from './memory-store/memory-rows.ts'
import type { CommandRow, Tables } from './memory-store/memory-rows.ts'
import { isUnbound, warmRunnerProblem } from './world/warm-runner-pool.ts'
import { isTerminalPod } from './cluster/pod-state.ts'
import { accounts, capacityVcpus, plans } from './world/settings.ts'
import { endOf, filesOf, isOf, isUnchanged, seenOf } from './seen-row.ts'
import type { Seen } from './seen-row.ts'
import type { Oracle, Wish } from './world/oracle.ts'

/** A create may be on its way when its command ends, at most as long as a request may take. */
const underWayMs = 12_000
const underWayWhileStoppedMs = 45_000

export function createOracle(deps: {
  nowMs: () => number
  pods: () => FakeObject[]
  command: (commandId: string) => FakeObject | null
  /** @param isForgetful the database has lost commits */
  leftovers: (isForgetful: boolean) => string[]
  hasObject: (key: string) => boolean
  /** The operator does not know the capacity of the cluster. */
  isCapacityUnknown: boolean
}): Oracle {
  const violations: string[] = []
  const seen = new Map<string, Seen>()
  const known = new Set<string>()
  const wishes = new Map<string, Set<Wish>>()
  const readEnds = new Map<string, string>()
  const commandOfPod = new Map<string, string>()
  const successes = createShownSuccesses({
    row: (id) => tables?.commands.get(id),
    files: () => tables?.files ?? [],
    hasObject: deps.hasObject,
  })
  let hasForgotten = false
  let lateMs = underWayMs
  let tables: Tables | null = null

  const rowOf = (commandId: string): CommandRow | undefined => tables?.commands.get(commandId)

  return {
    violations,
    violated,
    forgot() {
      hasForgotten = true
      seen.clear()
    },
    shown: () => successes.count(),
    shownProblems: () => successes.problems(),
    rows: () => [...(tables?.commands.values() ?? [])],
    leaderStopped() {
      lateMs = underWayWhileStoppedMs
    },
    acknowledged: (commandId) => void known.add(commandId),
    assigned: hasOnly,
    wished(commandId, what) {
      const all = wishes.get(commandId) ?? new Set()
      wishes.set(commandId, all.add(what))
    },
    audit(now) {
      tables = now
      for (const row of now.commands.values()) auditRow(row, now)
      for (const { accountId, name } of accounts) auditQuota(now, accountId, name)
      auditCapacity(now)
    },
    see({ kind, type, object }) {
      if (kind === 'Job' && type === 'ADDED' && !isUnbound(object)) jobCreated(object)
      const warmRunner = type === 'DELETED' ? null : warmRunnerProblem(object)
      if (warmRunner !== null) violated(warmRunner)
      if (kind === 'FfmpegCommand' && type === 'MODIFIED') statusShown(object)
      if (kind === 'FfmpegCommand') measured(object)
      if (kind === 'StoredFile' && type === 'MODIFIED') fileShown(object)
    },
    read(commandId, body) {
      const status =
        typeof body === 'object' && body !== null && 'status' in body ? body.status : null
      const isEnd = status === 'SUCCESS' || status === 'FAILED'
      const before = readEnds.get(commandId)
      if (before !== undefined && before !== JSON.stringify(body)) {
        violated(`${commandId} was read as ended, and is now another`)
      }
      if (isEnd) readEnds.set(commandId, JSON.stringify(body))
    },
    unrest: () => [
      ...[...known]
        // A submission that was lost with its commit comes back from its resource, where it has one.
        .filter((id) => rowOf(id) === undefined && !(hasForgotten && isLostFor(id)))
        .map((id) => `${id} was accepted and has no row`),
      ...[...(tables?.commands.values() ?? [])].flatMap(unrestOf),
      ...deps.leftovers(hasForgotten),
    ],
  }

  function hasOnly(podUid: string, commandId: string): void {
    const before = commandOfPod.get(podUid) ?? commandId
    if (before !== commandId)
      violated(`I10: ${podUid} was given ${before}, then ${commandId}`, true)
    commandOfPod.set(podUid, before)
  }

  /** After a loss of commits only the successes that were shown have to stay. */
  function violated(what: string, inAnyCase = false): void {
    if (inAnyCase || !hasForgotten) violations.push(what)
  }

  /** Nothing outside of the database had the whole submission. */
  function isLostFor(commandId: string): boolean {
    const command = deps.command(commandId)
    return command === null || command.status?.['reason'] === 'RecordLost'
  }

  function auditRow(row: CommandRow, now: Tables): void {
    const id = row.submission.commandId
    const last = seen.get(id)
    const { status, stage, attempt, progressPercent: percent } = row
    // A pod keeps facts that a database forgets: only those that reached the pod count then.
    if (attempt !== null && !hasForgotten) hasOnly(attempt, id)
    if (last === undefined) {
      seen.set(id, seenOf(row))
      return
    }
    if (isUnchanged(row, last)) return
    if (last.end !== null) {
      if (endOf(row, now) !== last.end)
        violated(`I2: the end of ${id} has changed: ${last.end} -> ${endOf(row, now)}`)
    } else if (last.attempt !== attempt) {
      attemptChanged(row, last)
    } else if (attempt !== null && rank(row) < rank(last.position)) {
      violated(
        `I3: ${id} went back from ${last.position.status}/${last.position.stage} to ${status}/${stage}`,
      )
    } else if (attempt !== null && (percent ?? 0) < (last.percent ?? 0)) {
      violated(`I3: ${id} went back from ${last.percent} to ${percent} percent`)
    }
    if (row.lostAttempts.length > last.lost) attemptsLost(row, last.lost)
    if (last.end === null && isFinal(status)) ended(row, now)
    if (!last.released && row.releasedAt !== null) released(row)
    seen.set(id, {
      ...seenOf(row),
      finalAtMs: last.finalAtMs ?? (isFinal(status) ? deps.nowMs() : null),
      end: isFinal(status) ? endOf(row, now) : null,
    })
  }

  function attemptChanged(row: CommandRow, last: Seen): void {
    const id = row.submission.commandId
    if (last.attempt !== null && !row.lostAttempts.includes(last.attempt)) {
      violated(`${id} was taken from ${last.attempt}, which was not lost`)
    }
    if (row.attempt !== null && row.lostAttempts.includes(row.attempt)) {
      violated(`I2: ${id} was given to ${row.attempt}, which was lost`)
    }
  }

  /** A pod that runs and is not being deleted must not be declared lost. */
  function attemptsLost(row: CommandRow, from: number): void {
    const id = row.submission.commandId
    const command = deps.command(id)
    const isThere = command !== null && command.metadata.uid === row.resourceUid
    for (const [index, uid] of row.lostAttempts.entries()) {
      // A pod that has no room for its command's size is given up while it lives.
      if (index < from || row.lossReasons[index] === 'NotResized') continue
      const pod = deps.pods().find(({ metadata }) => metadata.uid === uid)
      const lives =
        pod !== undefined && !isTerminalPod(pod) && pod.metadata.deletionTimestamp === undefined
      if (lives && isThere) violated(`${id} lost ${uid}, which lives`)
    }
  }

  function ended(row: CommandRow, now: Tables): void {
    const id = row.submission.commandId
    const problem = endProblem(row, wishes.get(id) ?? new Set())
    if (problem !== null) violated(`${id}: ${problem}`)
    if (row.status !== 'SUCCESS') return
    if (row.attempt === null || row.lostAttempts.includes(row.attempt)) {
      violated(`I2: ${id} was ended by an attempt that does not hold it`)
    }
    for (const { key } of filesOf(row, now)) {
      if (!key?.includes(`/${id}/${row.attempt}/`))
        violated(`I2: ${id} lists ${key}, of another attempt`)
      if (!deps.hasObject(key ?? '')) violated(`I4: ${id} lists ${key}, which is not stored`)
    }
  }

  /**
   * A pod that was declared lost is on a node that does not answer. A twin is refused at its first
   * request; to know of every one before would cost each command a request.
   */
  function released(row: CommandRow): void {
    const id = row.submission.commandId
    const living = deps
      .pods()
      .filter(({ metadata }) => isOf(row, metadata.name, metadata.uid))
      .filter((pod) => !isTerminalPod(pod))
      .filter(({ metadata }) => !row.lostAttempts.includes(metadata.uid))
      .filter(({ metadata }) => metadata.annotations?.[twinAnnotation] === undefined)
    for (const pod of living) violated(`I6: ${id} was released while ${pod.metadata.name} lives`)
  }

  function auditQuota(now: Tables, accountId: string, name: string): void {
    let vcpus = 0
    for (const row of now.commands.values()) {
      if (row.submission.accountId === accountId && hasJob(row)) vcpus += row.submission.vcpuCount
    }
    const limit = plans['small']?.vcpuTotal ?? Infinity
    if (vcpus > limit) violated(`I6: ${name} uses ${vcpus} of ${limit} vCPUs`)
  }

  /** Holds, too, while two operators take themselves for the leader. */
  function auditCapacity(now: Tables): void {
    let vcpus = 0
    for (const row of now.commands.values()) {
      if (hasJob(row)) vcpus += Math.max(1, row.submission.vcpuCount)
    }
    if (!deps.isCapacityUnknown && vcpus > capacityVcpus)
      violated(`I6: all use ${vcpus} of ${capacityVcpus} vCPUs`)
  }

  function jobCreated({ metadata }: FakeObject): void {
    const id = metadata.labels?.['cloudffmpeg.dev/command-id'] ?? ''
    const row = rowOf(id)
    if (row === undefined || row.admittedAt === null) {
      return violated(`${metadata.name} was created for a command that is not admitted`)
    }
    const finalAtMs = seen.get(id)?.finalAtMs ?? null
    if (finalAtMs !== null && deps.nowMs() - finalAtMs > lateMs) {
      violated(`${metadata.name} was created for a command that has ended`)
    }
  }

  function measured({ metadata, spec, status }: FakeObject): void {
    const bytes = storedBytes({ metadata, spec, status })
    if (bytes > largestCommandBytes) violated(`${metadata.name} takes ${bytes} bytes`)
  }

  function statusShown(object: FakeObject): void {
    const { metadata, spec } = object
    const commandId = spec?.['commandId']
    endShown(object, ['SUCCESS', 'FAILED'], () =>
      rowOf(typeof commandId === 'string' ? commandId : metadata.uid),
    )
  }

  function fileShown(object: FakeObject): void {
    const { metadata, spec } = object
    const fileId = typeof spec?.['fileId'] === 'string' ? spec['fileId'] : metadata.uid
    endShown(object, ['STORED', 'FAILED'], () =>
      tables?.files.find((each) => each.fileId === fileId),
    )
  }

  function endShown(
    { metadata, spec, status }: FakeObject,
    ends: readonly string[],
    find: () => { readonly status: string; readonly errorStatus: string | null } | undefined,
  ): void {
    const state = status?.['state']
    if (typeof state !== 'string' || !ends.includes(state)) return
    successes.see(metadata.uid, spec, status)
    if (isRejection(status?.['reason'])) return
    const row = find()
    const shown = JSON.stringify([state, status?.['errorStatus'] ?? null])
    const recorded = JSON.stringify([row?.status, row?.errorStatus ?? null])
    if (shown !== recorded) violated(`I7: ${metadata.name} shows ${shown}, recorded is ${recorded}`)
  }
}

/** Such an object has no row. */
function isRejection(reason: unknown): boolean {
  return reason === 'Rejected' || reason === 'NotOurs' || reason === 'RecordLost'
}
