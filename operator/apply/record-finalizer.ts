import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { recordFinalizer } from '../../common/domain/resource-names.ts'
import type { WorkKind } from '../../common/domain/resource-names.ts'
import { again, done, effect, resourceOf } from './apply-context.ts'
import type { Applied, ApplyDeps } from './apply-context.ts'
import { cacheOf } from '../observe/caches.ts'
import type { CommandFacts } from '../observe/command-facts.ts'

/** A conflict on a resource is normal: the cache is slightly stale. */
const conflictAgainMs = 100

/**
 * Without it a deletion would not be noticed, and the command would be recreated instead of ended.
 */
export async function addFinalizer(deps: ApplyDeps, command: CommandFacts): Promise<Applied> {
  const found = await newest(deps, command)
  if (found === null || found.recordFinalizer || found.deleting) return again
  const finalizers = [...found.otherFinalizers, recordFinalizer]
  const written = await writeFinalizers(deps, found, finalizers, 'operator.finalizer_added')
  return written === 'written' ? again : afterLostRace(deps, command, written)
}

export async function removeFinalizer(deps: ApplyDeps, command: CommandFacts): Promise<Applied> {
  // A status patch of the same pass has moved the version on.
  const found = await newest(deps, command)
  if (found === null || !found.recordFinalizer) return done
  const left = found.otherFinalizers
  const written = await writeFinalizers(deps, found, left, 'operator.finalizer_removed')
  return written === 'written' ? done : afterLostRace(deps, command, written)
}

/** Removes the finalizer first; otherwise the object would stay. */
export async function deleteResource(deps: ApplyDeps, command: CommandFacts): Promise<Applied> {
  const removed = await removeFinalizer(deps, command)
  if (removed.kind !== 'done') return removed
  const { namespace, name, uid } = command.metadata
  await effect(deps, 'operator.cr_deleted', () =>
    resourceOf(deps, command.kind).delete({ namespace, name, uid }, { lane: 'tidy' }),
  )
  return done
}

/**
 * Guarded by the version: the list is replaced whole, and a finalizer of another program that
 * arrived meanwhile must stay.
 */
export async function writeFinalizers(
  deps: Pick<ApplyDeps, 'commands' | 'storedFiles' | 'ownWrites' | 'term' | 'effects'>,
  { kind, metadata }: { readonly kind: WorkKind; readonly metadata: CommandFacts['metadata'] },
  finalizers: readonly string[],
  name: 'operator.finalizer_added' | 'operator.finalizer_removed',
  more: { readonly labels?: Readonly<Record<string, string>> } = {},
): Promise<'written' | 'conflict' | 'absent'> {
  const { namespace, name: objectName, uid, resourceVersion } = metadata
  try {
    const patched = await effect(deps, name, () =>
      resourceOf(deps, kind).mergePatch(
        { namespace, name: objectName, uid, resourceVersion },
        { metadata: { ...more, finalizers: finalizers.length === 0 ? null : finalizers } },
        { lane: name === 'operator.finalizer_added' ? 'start' : 'end' },
      ),
    )
    deps.ownWrites.wrote(kind, patched.metadata)
    return 'written'
  } catch (error) {
    if (isKubeError(error, 'conflict')) return 'conflict'
    if (isKubeError(error, 'absent')) return 'absent'
    throw error
  }
}

async function afterLostRace(
  { caches }: Pick<ApplyDeps, 'caches'>,
  { kind, metadata }: CommandFacts,
  lost: 'conflict' | 'absent',
): Promise<Applied> {
  await cacheOf(caches, kind).refresh(metadata)
  return lost === 'conflict' ? { kind: 'later', afterMs: conflictAgainMs } : done
}

/** The cached copy if it is current, else the API server's. */
async function newest(deps: ApplyDeps, command: CommandFacts): Promise<CommandFacts | null> {
  const { kind, metadata } = command
  const cached = cacheOf(deps.caches, kind).get(metadata)
  const isBehind = deps.ownWrites.waitFor(kind, metadata, cached?.metadata ?? null) !== null
  const found = isBehind ? await cacheOf(deps.caches, kind).refresh(metadata) : cached
  return found?.metadata.uid === metadata.uid ? found : null
}
