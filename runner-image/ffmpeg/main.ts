import { parseArgs } from 'node:util'
import { armedFailpoint } from '../../common/runtime/failpoint.ts'
import { crash, systemClock } from '../../common/runtime/system-effects.ts'
import { startThreadPool } from '../link/start-thread-pool.ts'
import { memoryGroup, pidsGroup } from './sandbox/control-group.ts'
import { supervisorSettings } from './settings.ts'
import { startSupervisor, supervisorExit } from './supervisor.ts'

// what FFmpeg writes is read by `transfer`
process.umask(0o022)

startThreadPool()

const { values } = parseArgs({
  options: {
    sandbox: { type: 'string', default: 'required' },
    'max-pixels': { type: 'string', default: '67108864' },
    failpoints: { type: 'string', default: '' },
  },
})

const supervisor = startSupervisor({
  clock: systemClock,
  failpoint: armedFailpoint(values.failpoints, crash),
  memory: memoryGroup('/sys/fs/cgroup'),
  pids: pidsGroup('/sys/fs/cgroup'),
  settings: supervisorSettings(values, {
    architecture: process.arch,
    program: import.meta.filename,
  }),
  complain: (cause) => process.stderr.write(`${cause.message}\n`),
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop())

supervisor.ended.then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(supervisorExit.unexpected)
  },
)
