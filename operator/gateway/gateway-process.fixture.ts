import { Registry } from 'prom-client'
import { gatewayAudience } from '../../common/domain/resource-names.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { createMemoryStore } from '../../testing/simulator/memory-store/memory-store.ts'
import { createFakeStorage } from '../../testing/simulator/world/fake-storage.ts'
import { gatewaySettings, namespace } from '../../testing/simulator/world/settings.ts'
import { createWarmRunnerWaiters } from '../warm/warm-runner-waiters.ts'
import { createGateway } from './gateway.ts'
import { createRunnerIdentity } from './identity/runner-identity.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'
import { createGatewayServer } from './server.ts'

/**
 * The gateway in a process of its own, whose memory is measured; the limits are the chart's. Sends its
 * port, and its resident memory as often as it is asked.
 */
const effects = systemEffects()
const { clock } = effects
const metrics = createGatewayMetrics(new Registry())
const server = createGatewayServer(
  {
    gateway: createGateway({
      identity: createRunnerIdentity({
        clusterKeys: {
          load: () => Promise.resolve({ issuer: 'https://cluster.example', keys: { keys: [] } }),
        },
        clock,
        audience: gatewayAudience,
        namespaces: [namespace],
        serviceAccount: 'runner',
        namespaceOf: () => null,
      }),
      store: createMemoryStore({ clock }),
      objects: createFakeStorage(),
      pods: { podByUid: () => null, subscribe: () => () => undefined },
      notify: () => undefined,
      lifecycle: { stage: () => undefined },
      warmRunners: { waiters: createWarmRunnerWaiters(clock), place: () => ({ kind: 'here' }) },
      settings: gatewaySettings,
      onRefusal: metrics.limited,
      effects,
      logger: silentLogger,
    }),
    effects,
    metrics,
    logger: silentLogger,
  },
  {
    port: 0,
    host: '0.0.0.0',
    tls: null,
    maxConnections: 1_100,
    connectionsPerAddress: 4,
    inFlightMbytes: 64,
  },
)
await server.start()
process.on('message', () => process.send?.({ rssBytes: process.memoryUsage.rss() }))
process.send?.({ port: server.port() })
