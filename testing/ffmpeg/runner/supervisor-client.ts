import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { until } from '../../support/until.ts'
import { createLineReader, encodeLine } from '../../../runner-image/link/line-codec.ts'
import { longestLine } from '../../../runner-image/link/messages.ts'
import type { FromSupervisor, ToSupervisor } from '../../../runner-image/link/messages.ts'
import { parseFromSupervisor } from '../../../runner-image/link/parse-from-supervisor.ts'

type MessageOf<T extends FromSupervisor['type']> = Extract<FromSupervisor, { type: T }>

export interface SupervisorClient {
  /** All that came, in order. */
  readonly received: readonly FromSupervisor[]
  send(message: ToSupervisor): void
  /** The first message of a type, and with this id, that has come or comes. */
  next<T extends FromSupervisor['type']>(type: T, id?: string): Promise<MessageOf<T>>
  /** Reads nothing more until it is called again with false. */
  hold(isHeld: boolean): void
  close(): void
}

/** The other end of the link, in a test's hands. */
export async function connectSupervisor(linkFolder: string): Promise<SupervisorClient> {
  const socket = await connected(`${linkFolder}/ffmpeg.sock`)
  const received: FromSupervisor[] = []
  const waiting = new Set<{ check: () => boolean; fail: (cause: Error) => void }>()
  const read = createLineReader(longestLine.fromSupervisor)
  socket.on('data', (chunk: Buffer) => {
    received.push(...read(chunk).map(parseFromSupervisor))
    for (const each of waiting) if (each.check()) waiting.delete(each)
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    for (const { fail } of waiting) fail(new Error('the supervisor closed the link'))
  })
  return {
    received,
    send: (message) => void socket.write(encodeLine(message)),
    next: (type, id) =>
      new Promise((resolve, reject) => {
        const check = (): boolean => {
          const found = received.find((message) => isOf(message, type, id))
          if (found !== undefined && found.type === type) resolve(found as MessageOf<typeof type>)
          return found !== undefined
        }
        if (!check()) waiting.add({ check, fail: reject })
      }),
    hold: (isHeld) => void (isHeld ? socket.pause() : socket.resume()),
    close: () => void socket.destroy(),
  }
}

function isOf(message: FromSupervisor, type: string, id: string | undefined): boolean {
  return message.type === type && (id === undefined || ('id' in message && message.id === id))
}

function connected(path: string): Promise<Socket> {
  return until(async () => {
    const socket = connect(path)
    await once(socket, 'connect')
    return socket
  }, `a server at ${path}`)
}
