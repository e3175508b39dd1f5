import path from 'node:path'
import { pauseImageName } from '../images/pause-image.ts'
import type { Instance } from '../host/instance.ts'
import type { LocalLayout } from './layout.ts'

export interface NodeTools {
  readonly runc: string
  /** Folder of the CNI plugins. */
  readonly cni: string
  readonly proxyMode: 'nftables' | 'iptables'
}

/** The configuration files of the node, by their name in the cluster's folder. */
export function nodeConfiguration(
  instance: Instance,
  layout: LocalLayout,
  tools: NodeTools,
): Record<string, string> {
  return {
    'containerd.toml': containerd(layout, tools),
    'cni/10-pods.conflist': JSON.stringify(podNetwork(instance, layout), null, 2),
    'kubelet.json': JSON.stringify(kubelet(instance, layout), null, 2),
    'proxy.json': JSON.stringify(proxy(instance, layout, tools), null, 2),
    'resolv.conf': `nameserver ${instance.hostAddress}\noptions timeout:1 attempts:2\n`,
  }
}

function containerd(layout: LocalLayout, { runc, cni }: NodeTools): string {
  // restrict_oom_score_adj: a root without CAP_SYS_RESOURCE may not lower the score, and every pod would fail with FailedCreatePodSandBox
  return `version = 2
root = "${layout.folder}/containerd"
state = "${layout.folder}/containerd-state"
[grpc]
  address = "${layout.containerdSocket}"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "${pauseImageName}"
[plugins."io.containerd.grpc.v1.cri".containerd]
  snapshotter = "overlayfs"
  default_runtime_name = "runc"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  BinaryName = "${runc}"
  SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "${cni}"
  conf_dir = "${layout.folder}/cni"
`
}

function podNetwork(instance: Instance, layout: LocalLayout): object {
  return {
    cniVersion: '1.0.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'pods0',
        isGateway: true,
        // servers of this machine see the pod's own address
        ipMasq: false,
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          dataDir: path.join(layout.folder, 'ipam'),
          ranges: [[{ subnet: instance.podCidr }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }
}

function kubelet(instance: Instance, layout: LocalLayout): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // since 1.35 the kubelet refuses cgroup v1 without this
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${instance.cgroup}`,
    // checks sysctls instead of writing them for the whole machine; node.sh shows it the values it wants
    protectKernelDefaults: true,
    containerRuntimeEndpoint: `unix://${layout.containerdSocket}`,
    address: instance.nodeAddress,
    healthzBindAddress: '127.0.0.1',
    tlsCertFile: path.join(layout.keys, 'kubelet-server.crt'),
    tlsPrivateKeyFile: path.join(layout.keys, 'kubelet-server.key'),
    authentication: {
      x509: { clientCAFile: path.join(layout.keys, 'ca.crt') },
      webhook: { enabled: true },
      anonymous: { enabled: false },
    },
    authorization: { mode: 'Webhook' },
    resolvConf: path.join(layout.folder, 'resolv.conf'),
    clusterDomain: 'cluster.local',
    clusterDNS: [instance.hostAddress],
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    // never: a collected image cannot be pulled again, there is no registry
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    // a disk that others fill must not taint the node
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '0%',
      'nodefs.inodesFree': '0%',
      'imagefs.available': '0%',
      'imagefs.inodesFree': '0%',
    },
    syncFrequency: '10s',
    // as nodes of production have it: the error of a command that starts too many threads depends on it
    podPidsLimit: 1024,
    registerNode: true,
  }
}

function proxy(instance: Instance, layout: LocalLayout, { proxyMode }: NodeTools): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: proxyMode,
    clusterCIDR: instance.podCidr,
    clientConnection: { kubeconfig: path.join(layout.keys, 'proxy.conf') },
    // outside the machine's first network namespace these cannot be written, and kube-proxy would end
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '127.0.0.1:10249',
    nodePortAddresses: [instance.linkCidr],
  }
}
