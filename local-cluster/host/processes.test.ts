import { expect } from 'chai'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  endGroup,
  endProcess,
  endProcessesIn,
  isAlive,
  recordOf,
  runningProcess,
  startDetached,
} from './processes.ts'

describe('detached processes', () => {
  let group = { folder: '' }
  beforeEach(async () => {
    group = { folder: await realpath(await mkdtemp(path.join(tmpdir(), 'processes-'))) }
  })
  afterEach(async () => {
    await endGroup(group)
    await rm(group.folder, { recursive: true })
  })
  const start = () =>
    startDetached({ name: 'sleeper', group, command: 'sleep', args: ['3600'], cwd: group.folder })

  it('detached processes are found by name until they end', async () => {
    const record = await start()
    expect(await runningProcess(group, 'sleeper')).to.deep.equal(record)
    await endProcess(group, 'sleeper', { signal: 'SIGTERM' })
    expect(await isAlive(record)).to.equal(false)
    expect(await runningProcess(group, 'sleeper')).to.equal(undefined)
  })

  it('a detached process is not mistaken for another process that got the same id', async () => {
    await mkdir(path.join(group.folder, 'pids'))
    const reused = { ...(await recordOf(process.pid)), started: 'before the last reboot' }
    await writeFile(path.join(group.folder, 'pids/sleeper'), JSON.stringify(reused))
    expect(await runningProcess(group, 'sleeper')).to.equal(undefined)
    await endGroup(group)
  })

  it('detached processes end with their group even when a crash kept them from being recorded', async () => {
    const record = await start()
    await rm(path.join(group.folder, 'pids'), { recursive: true })
    await endGroup(group)
    expect(await isAlive(record)).to.equal(false)
  })

  it('detached processes end by their working folder', async () => {
    const record = await start()
    await endProcessesIn(group.folder)
    expect(await isAlive(record)).to.equal(false)
  })
})
