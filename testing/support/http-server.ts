import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { systemClock } from '../../common/runtime/system-effects.ts'
import { createListener } from '../../common/runtime/listener.ts'
import { until } from './until.ts'
import type { Server } from 'node:http'

// Test support: one real server per test process, ended with it.

export interface TestServer {
  readonly command: string
  readonly args: readonly string[]
  /** Holds the server's log; removed with everything in it when the server has ended. */
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  /** Rejects until the server answers. */
  readonly check: () => Promise<unknown>
}

/**
 * The shell ends the server and removes its files as soon as this process is gone, however it went:
 * its standard input is a pipe of ours. SIGQUIT, because PostgreSQL takes SIGTERM as a wish to wait; PgBouncer takes SIGTERM alone.
 */
const untilWeEnd = `
  folder=$1
  shift
  "$@" >"$folder/log" 2>&1 </dev/null &
  cat >/dev/null
  kill -QUIT $!
  kill $!
  wait
  rm -rf "$folder"`

/** @returns once the server answers */
export async function startTestServer(server: TestServer): Promise<void> {
  const { command, args, folder, check, ...how } = server
  const child = spawn('sh', ['-c', untilWeEnd, 'sh', folder, command, ...args], {
    ...how,
    cwd: folder,
    // A group of its own: Ctrl-C is for the tests, and these end the server.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  // The pipe is a socket: while it counts, the tests would never end.
  if (child.stdin instanceof Socket) child.stdin.unref()
  await until(async () => {
    await check()
    return true
  }, `${command} to answer`)
}

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export interface Listening {
  /** `http://ADDRESS:PORT` */
  readonly url: string
  /** Open connections are cut. */
  readonly close: () => Promise<void>
}

/** Starts a server at a free port of an address of this machine, such as one that pods reach. */
export async function listenAt(address: string, server: Server): Promise<Listening> {
  const listener = createListener(server, { port: 0, host: address, clock: systemClock })
  await listener.start()
  return { url: `http://${address}:${listener.port()}`, close: () => listener.stop(0) }
}
