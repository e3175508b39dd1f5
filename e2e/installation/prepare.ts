import { clusterSettings } from '../cluster/settings.ts'
import { ensureTools } from '../cluster/tools/ensure-tools.ts'
import { buildImages } from './images.ts'

/** Builds all that a cluster needs ahead of time, into the cache. */
const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`[prepare] ${text}`)
await ensureTools({ settings, say })
await buildImages({ registry: settings.registry ?? 'registry.e2e', settings, say })
