// Generated from common/settings/settings.schema.json by 'npm run generate'.
import type { Plans } from '../domain/plans.ts'

export interface SharedConfig {
  release: {
    name: string
    namespace: string
    fullname: string
  }
  database: {
    pooler: 'none' | 'transaction'
    connections: number
  }
  storage: {
    endpoint: string
    publicEndpoint: string
    publicBaseUrl: string
    bucket: string
    prefix: string
    region: string
    pathStyle: boolean
    bulkDelete: boolean
    credentials: {
      mode: 'static' | 'default'
    }
  }
  plans: Plans
  operator: {
    priorityAgeSeconds: number
  }
  runner: {
    namespace: string
  }
  network: {
    allowCidrs: string[]
    denyCidrs: string[]
    denyEndpoints: string[]
    kubernetesApi: string[] | null
    ownEndpoints: string[]
  }
  metrics: {
    port: number
  }
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  rbac: {
    clusterRoles: boolean
  }
}
