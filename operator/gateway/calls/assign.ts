import { vcpusOf } from '../../../common/domain/vcpus.ts'
import type { Assignment, InputSource } from '../../../common/gateway/messages.ts'
import { bytesPerMbyte, planOf } from '../../../common/domain/plans.ts'
import type { FileSource } from '../../../common/store/commands.ts'
import type { ObjectStore } from '../../../common/storage/object-store.ts'
import type { ReconcileRow } from '../../../common/store/reconcile.ts'
import { isTerminal } from '../../observe/pod-facts.ts'
import { limitsFor, mostPixels } from '../../resources/limits.ts'
import { final, ok, superseded, unavailable, unknownCommand } from './answers.ts'
import type { GatewayResponse } from './answers.ts'
import { inputUrlSeconds } from './gateway-deps.ts'
import type { GatewayDeps } from './gateway-deps.ts'
import { scratchBytesOf } from './scratch-bytes.ts'
import type { Runner } from '../identity/runner-identity.ts'
import { storedKey } from './stored-key.ts'

/**
 * Gives a pod its command. Kubernetes may start a Job's pod twice: the first request gets the
 * command; a repeated request of the same pod gets it again.
 */
export async function assign(deps: GatewayDeps, runner: Runner): Promise<GatewayResponse> {
  const { store, effects, logger, pods } = deps
  const { commandId, jobGeneration, podUid } = runner
  const claim = await effects.failpoint('gateway.attempt_claimed', () =>
    store.claimAttempt({
      commandId,
      jobGeneration,
      podUid,
      start: pods.podByUid(podUid)?.start ?? null,
    }),
  )
  switch (claim.kind) {
    case 'unknown':
      return unknownCommand
    case 'final':
      return final(claim)
    case 'lost':
      return superseded
    case 'held':
      return await heldByAnother(deps, runner)
    case 'assigned':
      logger.info('assigned', {
        command_id: commandId,
        account: claim.row.accountName,
        attempt: podUid,
        round: jobGeneration,
      })
      deps.notify(commandId, 'claimed')
      return ok(await assignmentFor(deps, runner, claim.row))
  }
}

/**
 * Only the leader decides that an attempt is lost, from the same facts and with the pod's
 * termination message. So if the holder has ended, or is not known here yet, this pod waits for
 * that decision; while the holder lives, this pod has nothing to do.
 */
async function heldByAnother(
  { store, pods, notify }: GatewayDeps,
  { commandId }: Runner,
): Promise<GatewayResponse> {
  const holder = (await store.findForReconcile(commandId))?.attempt ?? null
  const pod = holder === null ? null : pods.podByUid(holder)
  if (pod !== null && !isTerminal(pod) && pod.deletion === null) return superseded
  notify(commandId)
  return unavailable('Another attempt has just ended')
}

/** All that the attempt needs to know about its command. */
export async function assignmentFor(
  deps: GatewayDeps,
  runner: Pick<Runner, 'podUid'>,
  row: ReconcileRow,
): Promise<Assignment> {
  const { settings } = deps
  const { source } = row
  const { inputFiles, inputCompressedFolder: archive, storedFile } = source
  const [inputs, inputFolder, file, storageOrigin] = await Promise.all([
    Promise.all(
      Object.entries(inputFiles ?? {}).map(([alias, url]) => inputFor(deps, row, alias, url)),
    ),
    archive === null ? null : inputFor(deps, row, 'input_compressed_folder', archive),
    storedFile === undefined ? null : fileFor(deps, row, storedFile),
    originOf(deps.objects),
  ])
  return {
    commandId: row.commandId,
    commands: source.commands,
    inputs,
    inputFolder,
    outputs: source.outputFiles,
    vcpuCount: vcpusOf(row),
    maxRunSeconds: row.maxRunSeconds,
    limits: assignmentLimits(deps, runner, row),
    overlap: settings.overlap,
    network: networkFor(deps),
    storageOrigin,
    file,
  }
}

/** The cluster's own addresses are newer than those of the settings. */
function networkFor({ settings: { network }, kubernetesApi }: GatewayDeps): Assignment['network'] {
  const denyEndpoints = [...network.denyEndpoints, ...(kubernetesApi?.() ?? [])]
  return { ...network, denyEndpoints }
}

const origins = new WeakMap<ObjectStore, string>()

/** Scheme, host and port of the URLs by which runners store; region and style of the bucket decide it. */
async function originOf(objects: ObjectStore): Promise<string> {
  const known = origins.get(objects)
  if (known !== undefined) return known
  const url = await objects.presignGet({ key: 'any', expiresSeconds: 1, endpoint: 'internal' })
  const { origin } = new URL(url)
  origins.set(objects, origin)
  return origin
}

/** An upload is read by its key; a URL is checked like that of any input. */
async function fileFor(
  deps: GatewayDeps,
  row: ReconcileRow,
  source: FileSource,
): Promise<Assignment['file']> {
  if ('url' in source) {
    return { kind: 'store', source: await inputFor(deps, row, 'file', source.url) }
  }
  const { objects, effects, settings } = deps
  const { key, name } = source.upload
  const url = await effects.failpoint('gateway.urls_signed', () =>
    objects.presignGet({ key, expiresSeconds: inputUrlSeconds, endpoint: 'internal' }),
  )
  const { fullFetchBytes } = settings
  return { kind: 'analyse', name, url, sizeBytes: row.file?.sizeBytes ?? 0, fullFetchBytes }
}

/**
 * A file of our own is looked up and read by its key; the URL that the client sent is never
 * fetched.
 */
async function inputFor(
  { store, objects, effects, settings }: GatewayDeps,
  row: ReconcileRow,
  alias: string,
  url: string,
): Promise<InputSource> {
  const key = storedKey(url, settings.storageBases)
  if (key === null) return { alias, url, stored: null }
  // The URL of a file that is not the account's is dropped here.
  const [found, stored] = await Promise.all([
    store.findStoredObject(row.accountId, key),
    effects.failpoint('gateway.urls_signed', () =>
      objects.presignGet({ key, expiresSeconds: inputUrlSeconds, endpoint: 'internal' }),
    ),
  ])
  return found === null ? { alias, url, stored: null, missing: true } : { alias, url, stored }
}

function assignmentLimits(
  deps: GatewayDeps,
  runner: Pick<Runner, 'podUid'>,
  row: ReconcileRow,
): Assignment['limits'] {
  const { plans, fileCount, maxPixels } = deps.settings
  const { transferAllowanceSeconds } = deps.settings.runner
  const { accountPlan: plan, accountLimits: limits } = row
  const { maxFileMbytes } = planOf(plans, { plan, limits })
  return {
    fileBytes: maxFileMbytes === null ? null : Math.floor(maxFileMbytes * bytesPerMbyte),
    scratchBytes: scratchBytesOf(deps, runner, row),
    fileCount,
    maxPixels: mostPixels({ maxPixels }, limitsFor(row, deps.settings.runner).memoryMbytes),
    transferSeconds: transferAllowanceSeconds,
  }
}
