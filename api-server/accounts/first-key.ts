import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { KubeSecret } from './kube-secrets.ts'
import { newApiKey } from './secrets.ts'
import type { RandomBytes } from './secrets.ts'

/** Name of the key's entry in the Secret that the chart renders. */
const firstKeyEntry = 'api-key'

/** The chart recognises a key that it did not render by this, and leaves it alone. */
const madeAnnotation = 'cloudffmpeg.dev/first-key'

interface Deps {
  readonly secrets: Pick<Resource<KubeSecret>, 'get' | 'mergePatch'>
  readonly effects: Pick<Effects, 'failpoint'>
  readonly randomBytes: RandomBytes
}

/** The Secret is not there: the tool that applies the chart's objects may not have come to it yet. */
export class SecretMissing extends Error {
  constructor(place: string) {
    super(`Secret ${place} for the first API key does not exist: apply the chart's objects again`)
    this.name = 'SecretMissing'
  }
}

/**
 * Reads the first key: the one that is given, or that of the Secret; undefined where there is neither.
 * @param from.place NAMESPACE/NAME of the Secret
 */
export function firstKeyReader(
  deps: Deps,
  { given, place }: { readonly given: string | undefined; readonly place: string | undefined },
): (signal: AbortSignal) => Promise<string | undefined> {
  return async (signal) =>
    given ?? (place === undefined ? undefined : await firstKey(deps, place, signal))
}

/**
 * The key in the Secret, which is made once: a key that the chart made would be another one with each rendering. The
 * Secret has it before the database does, so that a crash between the two loses no key.
 * @param place NAMESPACE/NAME
 * @throws SecretMissing, KubeError
 */
async function firstKey(
  { secrets, effects, randomBytes }: Deps,
  place: string,
  signal: AbortSignal,
): Promise<string> {
  const [namespace = '', name = ''] = place.split('/')
  for (;;) {
    const secret = await secrets.get(namespace, name, { signal })
    if (secret === null) throw new SecretMissing(place)
    const held = Buffer.from(secret.data[firstKeyEntry] ?? '', 'base64')
      .toString()
      .trim()
    if (held !== '') return held
    const made = newApiKey(randomBytes)
    const { resourceVersion } = secret.metadata
    const patch = {
      metadata: { annotations: { [madeAnnotation]: 'made' } },
      data: { [firstKeyEntry]: Buffer.from(made).toString('base64') },
    }
    try {
      await effects.failpoint('accounts.key_written', () =>
        secrets.mergePatch({ namespace, name, resourceVersion }, patch, { signal, retry: false }),
      )
      return made
    } catch (error) {
      // Another replica was first, or an administrator changed the Secret: what it holds now counts.
      if (!isKubeError(error, 'conflict')) throw error
    }
  }
}
