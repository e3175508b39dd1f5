import path from 'node:path'
import { bundleCli } from './cli-bundle.ts'

/** Run by `npm pack`: Node.js strips no types in an installed package. */
await bundleCli(path.resolve(import.meta.dirname, '../cli/bundle'))
