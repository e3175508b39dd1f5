// Generated from operator/settings.schema.json by 'npm run generate'.
import type { Priority } from '../common/domain/priority.ts'
import type {
  RunnerPod,
  RunnerProfile,
  ScratchClaim,
  Toleration,
} from './resources/runner-settings.ts'

export interface OperatorConfig {
  image: {
    pullPolicy: 'Always' | 'IfNotPresent' | 'Never'
  }
  database: {
    relaxedProgress: boolean
  }
  storage: {
    resultObjects: boolean
    putUrlSeconds: number
    sweepObjectsSeconds: number
  }
  operator: {
    leaseSeconds: number
    renewSeconds: number
    stopSeconds: number
    liveJobs: number | null
    liveFileJobs: number
    capacityVcpus: number | null
    startingPods: number | null
    reservedShare: number | string
    reserveMinutes: number
    kubeApi: {
      requestsPerSecond: number
      burst: number
    }
    startAllowanceSeconds: number
    placeAllowanceSeconds: number | null
    unplacedPods: number
    attempts: number
    passSeconds: number
    keepFinishedSeconds: number
    keepFinished: number
    defaultAccount: string
    appliedAccounts: string[]
    /**
     * @maxItems 50
     */
    watchNamespaces: string[]
    noticeForeign: boolean
  }
  gateway: {
    connections: number | null
    maxInFlightMbytes: number
    connectionsPerAddress: number
    url: string
    listenPort: number
  }
  runner: {
    cpuRequestPerVcpu: number | string
    memoryPerVcpuMbytes: number
    memoryRequestPerVcpu: number | string
    scratchMbytes: number
    scratchRequestMbytes: number | null
    scratch: {
      volumeClaim: ScratchClaim | null
    }
    transfer: {
      cpuMillis: number
      cpuRequestMillis: number | null
      memoryMbytes: number
    }
    sandbox: 'required' | 'preferred' | 'off'
    transferSeconds: number
    maxPixels: number
    overlap: {
      inputs: boolean
      outputs: boolean
    }
    nodeSelector: {
      [k: string]: string
    }
    tolerations: Toleration[]
    priorityClassName: string
    runtimeClassName: string
    hostUsers: boolean | null
    warm: {
      min: number
      max: number
      vcpu: number
      reserve: number | string
      maxAgeSeconds: number
      idleSeconds: number
    }
    image: string
    imagePullSecrets: string[]
    pod: RunnerPod
    profiles: Record<string, RunnerProfile>
    priorityClassNames: Partial<Record<Priority, string>>
  }
  analysis: {
    fullFetchBytes: number
  }
  trust: {
    caConfigMap: string
  }
  queue: {
    kueue: {
      enabled: boolean
      queueName: string
      priorityClasses: {
        low: string | null
        normal: string | null
        high: string | null
      }
      maxEvictions: number
    }
  }
  accountPolicy: {
    bindings: {
      namespace: string
      /**
       * @minItems 1
       */
      accounts: string[]
    }[]
  }
}
