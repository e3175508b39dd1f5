import { expect } from 'chai'
import { ruleFor } from '../../api-server/admin/storage/cors-rules.ts'
import { remedyFor } from './storage-remedy.ts'

describe('remedyFor', () => {
  it('the remedy has the rule that the administration writes', () => {
    const { ID: _, ...rule } = ruleFor(['https://a.example'])
    expect(JSON.parse(remedyFor('https://a.example').rules)).to.deep.equal({ CORSRules: [rule] })
  })
})
