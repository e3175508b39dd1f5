import { clusterSettings } from '../cluster/settings.ts'
import { ensureTools } from '../cluster/tools/ensure-tools.ts'
import { buildImagesAndS3 } from './build-images-and-s3.ts'

/** Builds all that a cluster needs ahead of time, into the cache. */
const settings = clusterSettings(process.env)
const say = (text: string): void => console.log(`[prepare] ${text}`)
await Promise.all([ensureTools({ settings, say }), buildImagesAndS3({ settings, say }).s3])
