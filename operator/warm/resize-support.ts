import { listIn, objectOf } from '../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import type { KubeClient } from '../../common/kubernetes/client.ts'

/** Kubernetes 1.33 refuses to lower a memory limit. */
const leastMinor = 34

/** Whether the cluster changes requests and limits of a pod while it runs. */
export async function canResizePods(kube: Pick<KubeClient, 'call'>): Promise<boolean> {
  const read = (path: string) =>
    kube.call({ verb: 'get', kind: 'Version', method: 'GET', path, retry: true })
  const [version, core] = await Promise.all([read('/version'), read('/api/v1')])
  const { major, minor } = objectOf(version, 'version')
  const isNew = Number(major) > 1 || Number.parseInt(String(minor), 10) >= leastMinor
  const resources = listIn(objectOf(core, 'resources of v1'), 'resources').filter(isJsonObject)
  return isNew && resources.some(({ name }) => name === 'pods/resize')
}
