import path from 'node:path'
import { bundleConsole } from '../e2e/installation/console-bundle.ts'

/** `npm run build-console`: the console as the API server of this checkout serves it. */
await bundleConsole(path.resolve(import.meta.dirname, '../api-server/console/static'))
