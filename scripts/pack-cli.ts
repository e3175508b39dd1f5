import path from 'node:path'
import { runCommand } from '../local-cluster/host/run-command.ts'
import { writeCliPackage } from './cli-package.ts'

/** `npm run pack-cli`: writes cli/package, and packs it as cloud-ffmpeg-VERSION.tgz in the present folder. */
const folder = path.resolve(import.meta.dirname, '../cli/package')
await writeCliPackage(folder)
const packed = await runCommand('npm', ['pack', '--silent', folder], { cwd: process.cwd() })
console.log(packed.trim())
