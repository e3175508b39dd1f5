// Generated from api-server/settings.schema.json by 'npm run generate'.

export interface ApiServerConfig {
  bootstrap: {
    account: string
    plan: string
    generatedSecret: string
  }
  accounts: {
    registration: boolean
    plan: string
    requestsPerHour: number
    publicUrl: string
    selfDeletion: boolean
    selfServiceKeys: boolean
  }
  smtp: {
    host: string
    port: number
    tls: 'starttls' | 'implicit' | 'none'
    from: string
  }
  api: {
    corsOrigins: string[]
    serveUnderApi: boolean
    trustedProxies: number
  }
  console: {
    enabled: boolean
    keyHelp: string
  }
  apiServer: {
    uploadSessionSeconds: number
    liveCommands: number
    lookAhead: number
    streams: number
    pollCacheMs: number
    migrate: boolean
    port: number
    drainSeconds: number
  }
  webhooks: {
    concurrency: number
  }
}
