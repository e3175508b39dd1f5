import path from 'node:path'
import type { Instance } from '../host/instance.ts'
import type { ProcessGroup } from '../host/processes.ts'

/** Paths of a local cluster: all below one folder, which stop removes. */
export interface LocalLayout extends ProcessGroup {
  readonly keys: string
  readonly kubeconfig: string
  readonly containerdSocket: string
  readonly etcdData: string
  /** Content hash of every setting the running cluster was started with. */
  readonly fingerprint: string
}

export function localLayout(instance: Instance): LocalLayout {
  const folder = path.join(instance.runFolder, 'cluster')
  const keys = path.join(folder, 'keys')
  return {
    folder,
    keys,
    kubeconfig: path.join(keys, 'admin.conf'),
    containerdSocket: path.join(folder, 'containerd.sock'),
    etcdData: path.join(folder, 'etcd'),
    fingerprint: path.join(folder, 'fingerprint'),
  }
}
