import { expect } from 'chai'
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exitFailure } from '../../runner-image/failure/exit-failure.ts'
import { runnerId } from './runner/container.ts'
import { createControlGroup } from './runner/control-group.ts'
import { runPlanned } from './runner/planned-run.ts'
import { oversizedPng } from '../attacks/sandbox/oversized-png.ts'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'

describe('a command that takes more than it may', () => {
  const parts = useRunnerParts()

  const raw = '-f lavfi -i testsrc2=s=1280x720 -f rawvideo {{out_1}}'

  it('a command ends with the size of the largest file in the message', async () => {
    await using supervised = await startSupervised(parts)
    const limits = { fileBytes: 5 * 1024 ** 2 }
    const { failure, message } = await runPlanned(supervised, { ...plain(raw), limits })
    expect(failure?.status).to.equal('OUTPUT_TOO_LARGE')
    expect(message).to.equal(
      'An output exceeded 5 MB, the largest file that the plan allows; lower its bitrate or split it',
    )
  })

  it('a command ends with the size of the working disk, if FFmpeg or the watchdog finds it full', async () => {
    await using supervised = await startSupervised(parts, { workDisk: 'size=80m' })
    const limits = { scratchBytes: 80 * 1024 ** 2 }
    const { failure, message } = await runPlanned(supervised, { ...plain(raw), limits })
    expect(failure?.status).to.equal('DISK_FULL')
    expect(message).to.match(/^The working disk of 0\.1 GB is full; inputs, outputs and all/)
  })

  it('a command ends before the disk is full, where others fill it too', async () => {
    await using supervised = await startSupervised(parts, { workDisk: 'size=60m' })
    const slow = '-re -f lavfi -i testsrc2=s=64x64 -f rawvideo {{out_1}}'
    const { exited, failure } = await runPlanned(supervised, plain(slow))
    // FFmpeg has written little by then: the watchdog ends it, not an error of its own.
    expect(exited).to.include({ reason: 'free_space', signal: 'SIGKILL' })
    expect(failure?.status).to.equal('DISK_FULL')
  })

  it('a command ends where the file system has no room for one more file', async () => {
    await using supervised = await startSupervised(parts, { workDisk: 'size=500m,nr_inodes=300' })
    const exited = await supervised.run([...frames, 'f%d.ppm'])
    expect(exited).to.include({ code: 251, reason: 'free_space' })
    expect(exitFailure(exited, capacity)?.status).to.equal('DISK_FULL')
  })

  it('a command is stopped by the number of its files, in flat memory', async () => {
    await using supervised = await startSupervised(parts)
    const { container } = supervised
    const exited = await supervised.run([...frames, 'f%d.ppm'])
    expect(exited).to.include({ reason: 'file_count', signal: 'SIGKILL' })
    expect((await readdir(path.join(container.job, 'work'))).length).to.be.greaterThan(10_000)
    const status = await readFile(`/proc/${String(await container.processId())}/status`, 'utf8')
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).to.be.lessThan(150_000)
  })

  it('a command ends with a picture that is too large to decode, before it takes memory', async () => {
    await using supervised = await startSupervised(parts)
    const { container, client } = supervised
    await writeFile(path.join(container.job, 'in/in_1.png'), oversizedPng(15_000))
    const command = '-i {{in_1}} {{out_1}}'
    const inputPaths = { in_1: '../in/in_1.png' }
    const { failure, message } = await runPlanned(supervised, {
      command,
      inputPaths,
      outputs: { out_1: 'out.jpg' },
    })
    expect(failure?.status).to.equal('INPUT_TOO_LARGE')
    expect(message).to.match(
      /^in_1 has 15000 x 15000 pixels \(225 million\); one picture may have 67 million here/,
    )
    client.send({ type: 'probe', id: 'large', path: '../in/in_1.png', depth: 'record' })
    expect((await client.next('probed', 'large')).facts).to.include({ file_type: 'image' })
  })

  describe('of the working folder', () => {
    // Without an end: only the watchdog stops it before its time is up.
    const clip = ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10']
    const flood = [...clip, '-c:v', 'rawvideo', '-f', 'rawvideo', 'flood.bin']
    const small = { scratchBytes: 1_000_000 }

    it('a command is stopped where its paths are longer than the kernel takes, and so is the next step', async () => {
      await using supervised = await startSupervised(parts, { workDisk: 'size=500m' })
      const deep = `${`${'d'.repeat(255)}/`.repeat(15)}${'e'.repeat(240)}/%s.ts`
      const segments = ['-c:v', 'mpeg2video', '-r', '25', '-t', '9', '-f', 'hls', '-hls_time', '1']
      const named = ['-strftime', '1', '-strftime_mkdir', '1', '-hls_segment_filename', deep]
      const first = [...flood, ...segments, ...named, 'a.m3u8']
      for (const argv of [first, flood]) {
        const exited = await supervised.run(argv, small)
        expect(exited).to.include({ reason: 'scratch_bytes', signal: 'SIGKILL' })
      }
    })

    it('a command is stopped where FFmpeg cuts names within a character', async () => {
      await using supervised = await startSupervised(parts)
      const folder = [...Array.from({ length: 3 }, () => 'a'.repeat(250)), 'b'.repeat(101)]
      await makeFolders(supervised.container.job, folder)
      const name = `${folder.join('/')}/%d${'é'.repeat(300)}.raw`
      const cut = ['-f', 'segment', '-segment_format', 'rawvideo', '-segment_time', '1', name]
      const exited = await supervised.run([...clip, '-c:v', 'rawvideo', ...cut], small)
      expect(exited).to.include({ reason: 'scratch_bytes', signal: 'SIGKILL' })
    })

    it('a command ends with the reason when FFmpeg ends before the first measurement', async () => {
      await using supervised = await startSupervised(parts)
      const few = { fileCount: 100 }
      const tooMany = await supervised.run([...frames, '-frames:v', '200', 'f%d.ppm'], few)
      expect(tooMany).to.include({ code: 0, reason: 'file_count' })
      expect(exitFailure(tooMany, capacity)?.status).to.equal('OUTPUT_TOO_LARGE')
      const next = await supervised.run([...frames, '-frames:v', '1', 'one%d.ppm'], few)
      expect(next).to.include({ code: 0, reason: 'file_count' })
      const tooLarge = await supervised.run([...frames, '-frames:v', '1', 'two%d.ppm'], {
        scratchBytes: 100_000,
      })
      expect(tooLarge).to.include({ code: 0, reason: 'scratch_bytes' })
      expect(exitFailure(tooLarge, capacity)?.status).to.equal('DISK_FULL')
    })

    it('shares the working disk with the inputs', async () => {
      await using supervised = await startSupervised(parts)
      const one = [...frames, '-frames:v', '1', 'one%d.ppm']
      const alone = await supervised.run(one, small)
      expect(alone).to.include({ code: 0, reason: null })
      await writeFile(path.join(supervised.container.job, 'in/in_1.bin'), Buffer.alloc(1_000_000))
      const beside = await supervised.run(one, small)
      expect(beside).to.include({ code: 0, reason: 'scratch_bytes' })
    })

    it('a command is stopped when the working folder cannot be measured', async () => {
      await using supervised = await startSupervised(parts)
      await mkdir(path.join(supervised.container.job, 'work/closed'), { mode: 0o700 })
      const exited = await supervised.run(flood)
      expect(exited).to.include({ reason: 'unmeasured', signal: 'SIGKILL' })
      expect(exited.tail).to.match(/could not be measured: EACCES/)
    })
  })

  describe('of threads', () => {
    const noise = '-f lavfi -i testsrc2=s=320x240:d=1'
    // FFmpeg 7.1 takes six to read, decode, filter and write one stream; the others ask for more than three
    const encoders = {
      libx264: `${noise} -c:v libx264 {{out_1}}`,
      libsvtav1: `${noise} -c:v libsvtav1 {{out_1}}`,
      librav1e: `${noise} -c:v librav1e -speed 10 {{out_1}}`,
      'FFmpeg itself': `${noise} ${'-f lavfi -i anullsrc '.repeat(60)} -map 0 {{out_1}}`,
    }
    for (const [who, command] of Object.entries(encoders)) {
      it(`a command ends with the reason when ${who} requests one more`, async () => {
        const { failure, message } = await runWithThreads(9, command)
        expect(failure?.status).to.equal('FFMPEG_FAILED')
        expect(message).to.match(/^FFmpeg needed more threads than the node allows its pod; fewer/)
      })
    }

    it('a command ends with the reason when an encoder waits for one until its time is up', async () => {
      const command = `${noise} -c:v libx265 {{out_1}}`
      const { failure, message } = await runWithThreads(9, command, 10)
      expect(failure?.status).to.equal('COMMAND_TIMEOUT')
      expect(message).to.match(/stopped after 10 seconds.* Before that it needed more threads than/)
    })

    it('a command ends with the reason when FFmpeg itself cannot start', async () => {
      const { failure, message } = await runWithThreads(0, encoders.libx264)
      expect(failure?.status).to.equal('FFMPEG_FAILED')
      expect(message).to.match(/^FFmpeg needed more threads than the node allows its pod; fewer/)
    })

    async function runWithThreads(threads: number, command: string, seconds = 120) {
      const group = await createControlGroup('pids', 'max')
      try {
        await using supervised = await startSupervised(parts, { group })
        await group.allowMore(threads)
        const run = { ...plain(command), outputs: { out_1: 'out.mkv' }, limits: { seconds } }
        return await runPlanned(supervised, run)
      } finally {
        await group.remove()
      }
    }
  })

  it('keeps of a flood of errors the lines that name the cause', async () => {
    await using supervised = await startSupervised(parts)
    const noise = Buffer.alloc(400_000, 'b71d80e4c35fa92', 'hex')
    await writeFile(path.join(supervised.container.job, 'in/in_1.h264'), noise)
    const { failure, message } = await runPlanned(supervised, {
      command: '-f h264 -i {{in_1}} {{out_1}}',
      inputPaths: { in_1: '../in/in_1.h264' },
      outputs: { out_1: 'out.mp4' },
    })
    expect(failure).not.to.equal(null)
    expect(message?.length).to.be.at.most(4000)
    expect(message).not.to.match(/0x7f|\/job\/|\p{Cc}/u)
  })

  const capacity = {
    capSeconds: 1,
    fileBytes: 1,
    scratchBytes: 1,
    fileCount: 1,
    memoryBytes: 1,
    inputs: [],
  }
  const frames = ['-f', 'lavfi', '-i', 'color=s=16x16:r=1000', '-c:v', 'ppm', '-f', 'image2']

  function plain(command: string) {
    return { command, outputs: { out_1: 'out.bin' }, inputPaths: {} }
  }
})

/** One in the other, the user's of the image. */
async function makeFolders(job: string, names: readonly string[]): Promise<void> {
  let folder = path.join(job, 'work')
  for (const name of names) {
    folder = path.join(folder, name)
    await mkdir(folder)
    await chown(folder, runnerId, runnerId)
  }
}
