import path from 'node:path'
import type { Instance } from '../host/instance.ts'
import type { KubernetesCommand } from '../tools/kubernetes.ts'
import type { LocalLayout } from './layout.ts'

export interface ControlPlaneOptions {
  readonly instance: Instance
  readonly layout: LocalLayout
  /** How long a silent node stays Ready. Below 20 s a healthy node flaps, because a kubelet renews its lease every 10 s. */
  readonly nodeMonitorGraceSeconds?: number
}

export type Component = Exclude<KubernetesCommand, 'kubelet' | 'kube-proxy' | 'kubectl' | 'helm'>

/** Command lines of the control plane. Nothing but the API listens where pods reach it. */
export function controlPlaneArguments(options: ControlPlaneOptions): Record<Component, string[]> {
  const { instance, layout } = options
  const key = (file: string) => path.join(layout.keys, file)
  const etcdClient = `http://${instance.loopbackAddress}:2379`
  return {
    etcd: [
      `--data-dir=${layout.etcdData}`,
      // nothing here outlives the machine, and fsync would be most of the time of every write
      '--unsafe-no-fsync',
      `--listen-client-urls=${etcdClient}`,
      `--advertise-client-urls=${etcdClient}`,
      `--listen-peer-urls=http://${instance.loopbackAddress}:2380`,
      '--log-level=warn',
    ],
    'kube-apiserver': [
      `--etcd-servers=${etcdClient}`,
      `--bind-address=${instance.hostAddress}`,
      `--advertise-address=${instance.hostAddress}`,
      '--secure-port=6443',
      `--service-cluster-ip-range=${instance.serviceCidr}`,
      '--allow-privileged=true',
      `--tls-cert-file=${key('apiserver.crt')}`,
      `--tls-private-key-file=${key('apiserver.key')}`,
      `--client-ca-file=${key('ca.crt')}`,
      `--kubelet-client-certificate=${key('apiserver-kubelet.crt')}`,
      `--kubelet-client-key=${key('apiserver-kubelet.key')}`,
      `--kubelet-certificate-authority=${key('ca.crt')}`,
      '--kubelet-preferred-address-types=InternalIP',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${key('service-account.pub')}`,
      `--service-account-signing-key-file=${key('service-account.key')}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--profiling=false',
    ],
    'kube-controller-manager': [
      `--kubeconfig=${key('controller-manager.conf')}`,
      `--bind-address=${instance.loopbackAddress}`,
      '--leader-elect=false',
      '--use-service-account-credentials=true',
      // with the default limits the default service account comes 6 s later, and a burst of Jobs waits for the client
      '--kube-api-qps=300',
      '--kube-api-burst=600',
      '--concurrent-job-syncs=50',
      `--service-account-private-key-file=${key('service-account.key')}`,
      `--root-ca-file=${key('ca.crt')}`,
      `--cluster-signing-cert-file=${key('ca.crt')}`,
      `--cluster-signing-key-file=${key('ca.key')}`,
      '--profiling=false',
      ...(options.nodeMonitorGraceSeconds === undefined
        ? []
        : [`--node-monitor-grace-period=${options.nodeMonitorGraceSeconds}s`]),
    ],
    'kube-scheduler': [
      `--kubeconfig=${key('scheduler.conf')}`,
      `--bind-address=${instance.loopbackAddress}`,
      '--leader-elect=false',
      '--kube-api-qps=300',
      '--kube-api-burst=600',
      '--profiling=false',
    ],
  }
}
