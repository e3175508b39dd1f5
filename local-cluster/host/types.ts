import type { ClusterSettings, Provider } from './settings.ts'
import type { Say } from './progress.ts'

/** A real Kubernetes cluster, wherever it came from. */
export interface Cluster {
  readonly provider: Provider
  readonly instance: string
  /** Path of a file for an administrator. */
  readonly kubeconfig: string
  /** Address at which pods find servers of this machine. */
  readonly hostAddress: string
  /** Address at which this machine finds NodePorts. */
  readonly nodeAddress: string
  /** URL of the Service of NodePort `publishedNodePort` for this machine: the one port that every provider makes reachable. */
  readonly publishedUrl: string
  /** Range of addresses that requests of pods come from. */
  readonly podCidr: string
  /** First part of image names: `REGISTRY/cloud-ffmpeg/runner:TAG`. */
  readonly registry: string
  /** Paths of the commands that fit this cluster. */
  readonly kubectl: string
  readonly helm: string
  /** Makes the image of an archive (docker-archive) known to the cluster under its name. */
  loadImage(archive: string, name: string): Promise<void>
  /** A power cut, where the provider can make one, and the way back; startNode returns when the node is Ready. */
  readonly stopNode?: () => Promise<void>
  readonly startNode?: () => Promise<void>
  /** SIGKILL to the API server, where the provider can, and the way back; startApi returns when it is ready. */
  readonly stopApi?: () => Promise<void>
  readonly startApi?: () => Promise<void>
  /** Stops the API server as a starved machine does: connections stay open and nothing is answered until `resumeApi`. */
  readonly pauseApi?: () => Promise<void>
  readonly resumeApi?: () => Promise<void>
  stop(): Promise<void>
}

/** An image by its full name, and the docker-archive that holds it. */
export interface ArchivedImage {
  readonly name: string
  readonly archive: string
}

export interface StartOptions {
  readonly instance: string
  readonly settings: ClusterSettings
  readonly say: Say
  /** Replaces a running cluster instead of using it. */
  readonly fresh?: boolean
  /**
   * Loaded as soon as a node takes images, while the cluster starts. If they cannot be had the cluster starts without
   * them: why is for their maker to say.
   */
  readonly images?: Promise<readonly ArchivedImage[]>
  /** How long a silent node stays Ready: at least 20, Kubernetes' own default is 50. Local clusters only. */
  readonly nodeMonitorGraceSeconds?: number
}

/** No cluster, or no tool for one, can be had here; the message says what is missing and how to get it. */
export class NoCluster extends Error {
  override readonly name = 'NoCluster'
}

/** NodePort of the API's Service in clusters of this folder; kind publishes it on this machine. */
export const publishedNodePort = 30_080
