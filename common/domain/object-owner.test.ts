import { expect } from 'chai'
import { ownerOfKey, placesOf } from './object-owner.ts'
import { attemptPrefix, logKey, outputKey, resultKey, uploadKey } from './storage-keys.ts'

const accountId = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
const commandId = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e02'
const attempt = '4b0c9b9e-0a3e-4b5c-8a55-0f6f1c2d3e4f'
const output = { visibility: 'public', accountId, commandId, attempt } as const

describe('the owner of an object', () => {
  it('the owner is read from every key that the service writes', () => {
    const whole = { accountId, ownerId: commandId, attempt: null }
    const owners: [string, object][] = [
      [outputKey({ ...output, path: 'list/v0/1.ts' }), { ...whole, attempt }],
      [outputKey({ ...output, visibility: 'private', path: 'o.mp4' }), { ...whole, attempt }],
      [resultKey({ accountId, commandId, attempt }), { ...whole, attempt }],
      [logKey({ accountId, commandId }), whole],
      [uploadKey({ visibility: 'public', accountId, fileId: commandId, name: 'a.mov' }), whole],
    ]
    for (const [key, owner] of owners) expect(ownerOfKey(key), key).to.deep.equal(owner)
  })

  it('the owner is unknown when the service does not write such a key', () => {
    for (const key of [
      'public/index.html',
      `public/${accountId}/logo.png`,
      `public/shared/${commandId}/a.mp4`,
      `private/${accountId}/logs/${commandId}.gz`,
      `public/${accountId}/logs/${commandId}.txt`,
      `backup/private/${accountId}/logs/${commandId}.txt`,
    ]) {
      expect(ownerOfKey(key), key).to.equal(null)
    }
  })

  it('an owner has places that hold all its keys and none of another attempt or command', () => {
    const isIn = (owner: Parameters<typeof placesOf>[0], key: string) => {
      const { folders, keys, results } = placesOf(owner)
      const prefixes = [...folders, ...(results === null ? [] : [results])]
      return keys.includes(key) || prefixes.some((prefix) => key.startsWith(prefix))
    }
    const own = [`${attemptPrefix(output)}o.mp4`, resultKey(output)]
    const ofCommand = [
      logKey(output),
      `${attemptPrefix({ ...output, attempt: 'another' })}o.mp4`,
      resultKey({ ...output, attempt: 'another' }),
    ]
    const ofOthers = [
      `public/${accountId}/${accountId}/a.mov`,
      logKey({ accountId, commandId: accountId }),
    ]
    const one = { accountId, ownerId: commandId, attempt }
    expect([...own, ...ofCommand, ...ofOthers].filter((key) => isIn(one, key))).to.deep.equal(own)
    const all = { ...one, attempt: null }
    expect([...own, ...ofCommand, ...ofOthers].filter((key) => isIn(all, key))).to.deep.equal([
      ...own,
      ...ofCommand,
    ])
  })
})
