import { expect } from 'chai'
import { commitOf } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeMirror(session: Session): void {
  describe('mirror and collection', () => {
    const { store, age, submit, dispatch, admit, run, row } = session

    const unmirrored = async (commandId: string) =>
      (await store.findUnmirrored(100_000)).find((each) => each.commandId === commandId)

    it('shows a row until the custom resource has its newest version', async () => {
      const commandId = await submit()
      expect(await unmirrored(commandId)).to.equal(undefined)
      await store.markDispatched(commandId, 'uid')
      const shown = { commandId, final: false, cancelRequested: false }
      expect(await unmirrored(commandId)).to.deep.equal({ ...shown, version: 1 })
      await store.markMirrored(commandId, 1)
      expect(await unmirrored(commandId)).to.equal(undefined)
      await admit()
      await store.markMirrored(commandId, 1)
      expect((await unmirrored(commandId))?.version).to.equal(2)
    })

    it('puts finished commands first and marks them mirrored for good', async () => {
      const early = await run('pod-1')
      const commandId = await run('pod-2')
      await store.commitOutcome(commitOf(commandId, 'pod-2'))
      const ids = (await store.findUnmirrored(100_000)).map((each) => each.commandId)
      expect(ids.indexOf(commandId)).to.be.lessThan(ids.indexOf(early))
      const { version } = await row(commandId)
      await store.markMirrored(commandId, version - 1)
      expect((await row(commandId)).mirrored).to.equal(false)
      await store.markMirrored(commandId, version)
      expect(await row(commandId)).to.deep.include({ mirrored: true, mirroredVersion: version })
    })

    it('puts a command to cancel before those that only show progress', async () => {
      const early = await run('pod-1')
      const commandId = await run('pod-2')
      await store.requestCancel(commandId, 'administrator')
      expect(await unmirrored(early)).to.include({ final: false, cancelRequested: false })
      expect(await unmirrored(commandId)).to.include({ final: false, cancelRequested: true })
      const ids = (await store.findUnmirrored(100_000)).map((each) => each.commandId)
      expect(ids.indexOf(commandId)).to.be.lessThan(ids.indexOf(early))
    })

    it('collects a resource after its time, the newest later', async () => {
      const ids: string[] = []
      for (const pod of ['pod-1', 'pod-2']) {
        const commandId = await run(pod)
        await store.commitOutcome(commitOf(commandId, pod))
        await store.markMirrored(commandId, (await row(commandId)).version)
        await store.releaseQuota(commandId)
        ids.push(commandId)
      }
      const collect = async (keepNewest: number) =>
        (
          await store.findCollectable({
            olderThanSeconds: 60,
            keepNewest,
            keepSeconds: 3_600,
            except: [],
            limit: 100_000,
          })
        ).filter((id) => ids.includes(id))
      expect(await collect(0)).to.deep.equal([])
      await age(61)
      expect(await collect(1)).to.deep.equal(ids.slice(0, 1))
      expect(await collect(0)).to.deep.equal(ids)
      const kept = { olderThanSeconds: 60, keepNewest: 0, keepSeconds: 3_600 }
      const except = ids.slice(0, 1)
      const rest = await store.findCollectable({ ...kept, except, limit: 100_000 })
      expect(rest.filter((id) => ids.includes(id))).to.deep.equal(ids.slice(1))
      const others = await store.findCollectable({
        ...kept,
        except: [],
        kept: except,
        limit: 100_000,
      })
      expect(others.filter((id) => ids.includes(id))).to.deep.equal(ids.slice(1))
      const backlog = await store.collectableBacklog(kept)
      expect(backlog.rows).to.be.at.least(ids.length)
      expect(backlog.oldestSeconds).to.be.at.least(1)
      await age(3_600)
      expect(await collect(1)).to.deep.equal(ids)
      for (const id of ids) await store.markResourceDeleted(id)
      expect(await collect(0)).to.deep.equal([])
    })

    it('the collection leaves what still holds vCPUs', async () => {
      const commandId = await run('pod-1')
      await store.commitOutcome(commitOf(commandId, 'pod-1'))
      await store.markMirrored(commandId, (await row(commandId)).version)
      await age(7_200)
      const all = { olderThanSeconds: 0, keepNewest: 0, keepSeconds: 0, except: [], limit: 100_000 }
      expect(await store.findCollectable(all)).not.to.include(commandId)
    })

    it('pages through the commands that should have a resource or that hold vCPUs', async () => {
      const ended = await run('pod-3')
      await store.commitOutcome(commitOf(ended, 'pod-3'))
      const ids = [await dispatch(), await dispatch(), await run('pod-1'), ended].toSorted()
      const released = await run('pod-2')
      await store.commitOutcome(commitOf(released, 'pod-2'))
      await store.releaseQuota(released)
      const found: string[] = []
      let afterCommandId: string | null = null
      for (;;) {
        const page = await store.findUnsettled({ afterCommandId, limit: 2 })
        found.push(...page)
        afterCommandId = page.at(-1) ?? null
        if (page.length < 2) break
      }
      expect(found.filter((id) => ids.includes(id))).to.deep.equal(ids)
      expect(found).not.to.include(released)
      expect(found).to.deep.equal(found.toSorted())
    })
  })
}
