import type { Effects } from '../../common/runtime/effects.ts'
import { sleep } from '../../common/runtime/effects.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import {
  apiGroup,
  commandPlural,
  recordFinalizer,
  storedFilePlural,
} from '../../common/domain/resource-names.ts'

const pageSize = 100
const atATime = 10
const nextPassMs = 200

/**
 * Takes our finalizer off every object of these kinds, and leaves those of other programs. Without an
 * operator no object would ever lose it, and its namespace could not be deleted.
 * @returns how many had it
 */
export async function releaseObjects(
  deps: { readonly kinds: readonly Resource<KubeObject>[]; readonly effects: Effects },
  namespace: string,
  signal: AbortSignal,
): Promise<number> {
  const released = new Set<string>()
  for (const kind of deps.kinds) {
    // An object that changed in between is met again in the next pass.
    while (await onePass(kind)) await sleep(deps.effects.clock, nextPassMs, signal)
  }
  return released.size

  /** @returns whether an object had it */
  async function onePass(kind: Resource<KubeObject>): Promise<boolean> {
    let hasHeld = false
    for await (const page of pages(kind, namespace, signal)) {
      const held = page.filter(({ finalizers = [] }) => finalizers.includes(recordFinalizer))
      hasHeld ||= held.length > 0
      for (let start = 0; start < held.length; start += atATime) {
        await Promise.all(held.slice(start, start + atATime).map((each) => release(kind, each)))
      }
    }
    return hasHeld
  }

  async function release(kind: Resource<KubeObject>, metadata: ObjectMeta): Promise<void> {
    const { name, uid, resourceVersion, finalizers = [] } = metadata
    const left = finalizers.filter((finalizer) => finalizer !== recordFinalizer)
    try {
      await deps.effects.failpoint('uninstall.finalizer_removed', () =>
        kind.mergePatch(
          { namespace, name, uid, resourceVersion },
          { metadata: { finalizers: left.length === 0 ? null : left } },
          { signal },
        ),
      )
      released.add(uid)
    } catch (error) {
      if (!isKubeError(error, 'conflict', 'absent')) throw error
    }
  }
}

async function* pages(
  kind: Resource<KubeObject>,
  namespace: string,
  signal: AbortSignal,
): AsyncGenerator<ObjectMeta[]> {
  let continueToken: string | null = null
  do {
    const page = await listPage(kind, {
      namespace,
      limit: pageSize,
      metadataOnly: true,
      signal,
      ...(continueToken === null ? {} : { continueToken }),
    })
    yield page.items.map((item) => kind.parse(item).metadata)
    continueToken = page.continueToken
  } while (continueToken !== null)
}

async function listPage(
  kind: Resource<KubeObject>,
  query: Parameters<Resource<KubeObject>['listPage']>[0],
): Promise<{ readonly items: readonly unknown[]; readonly continueToken: string | null }> {
  try {
    return await kind.listPage(query)
  } catch (error) {
    // The definition is gone, and its objects with it.
    if (isKubeError(error, 'absent')) return { items: [], continueToken: null }
    throw error
  }
}

/** Instructions for kubectl alone, for namespaces that cannot be deleted. */
export function releaseByHand(namespaces: readonly string[]): string {
  const kinds = [commandPlural, storedFilePlural].map((plural) => `${plural}.${apiGroup}`).join()
  const patch = `'{"metadata":{"finalizers":null}}'`
  const lines = namespaces.map((namespace) => {
    const kubectl = `kubectl -n ${namespace}`
    return `  ${kubectl} get ${kinds} -o name | xargs -r ${kubectl} patch --type=merge -p ${patch}\n`
  })
  return `With kubectl, which takes every finalizer off these objects:\n\n${lines.join('')}`
}
