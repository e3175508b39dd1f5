import path from 'node:path'
import { bundleConsole } from '../images/console-bundle.ts'
import { copyDocs } from '../images/docs-bundle.ts'

/** `npm run build-console`: the console and the site of `/docs` as the API server of this checkout serves them. */
const server = path.resolve(import.meta.dirname, '../api-server')
await bundleConsole(path.join(server, 'console/static'))
await copyDocs(path.join(server, 'docs/static'))
