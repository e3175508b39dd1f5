import { rm } from 'node:fs/promises'
import path from 'node:path'
import { stopInstance } from '../../local-cluster/cluster.ts'
import { againAsRoot } from './by-sudo.ts'
import { chosenSettings } from './chosen-settings.ts'

/** Removes everything that quickstart started. Builds stay in the cache. */
const settings = chosenSettings(process.argv.slice(2))
await againAsRoot(settings)
await stopInstance({ instance: 'quickstart', settings, say: (text) => console.log(text) })
await rm(path.resolve(import.meta.dirname, '../../.quickstart'), { recursive: true, force: true })
console.log(`stopped; binaries and images stay in ${settings.cacheFolder}`)
