import { expect } from 'chai'
import { createLeadership } from './leadership.ts'

describe('createLeadership', () => {
  function created() {
    const order: string[] = []
    const lost = Promise.withResolvers<undefined>()
    let events = { onAcquired: (): void => undefined, onLost: (): void => undefined }
    const part = createLeadership({
      controller: {
        async run(signal) {
          order.push('work')
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          order.push('work ended')
        },
        rowChanged: () => undefined,
      },
      createLeader(given) {
        events = given
        return {
          async run(signal) {
            await Promise.race([
              lost.promise,
              new Promise((resolve) => signal.addEventListener('abort', resolve)),
            ])
            order.push('released')
            return 'released'
          },
          isLeader: () => true,
          mustHold: () => undefined,
        }
      },
      onLost: () => order.push('told'),
    })
    return { part, order, acquire: () => events.onAcquired(), lose: () => events.onLost() }
  }

  it('works only while it leads, and gives the Lease back after the work has ended', async () => {
    const { part, order, acquire } = created()
    await part.start()
    expect(order).to.deep.equal([])
    acquire()
    await part.stop()
    expect(order).to.deep.equal(['work', 'work ended', 'released'])
  })

  it('stops the work when the Lease is lost and says so', async () => {
    const { part, order, acquire, lose } = created()
    await part.start()
    acquire()
    lose()
    await part.stop()
    expect(order).to.deep.equal(['work', 'told', 'work ended', 'released'])
  })
})
