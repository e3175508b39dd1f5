import { expect } from 'chai'
import { buildDashboard } from './build-dashboard.ts'
import { rows } from './rows.ts'

describe('the dashboard', () => {
  const { panels } = buildDashboard(rows)

  it('the dashboard has an id for each panel and a reference for each of its queries', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length)
    for (const { targets = [] } of panels) {
      expect(new Set(targets.map(({ refId }) => refId)).size).to.equal(targets.length)
    }
  })

  it('places panels in the grid, none over another', () => {
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).to.be.at.most(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x},${y}`), `${title} at ${x},${y}`).to.equal(false)
          taken.add(`${x},${y}`)
        }
      }
    }
  })

  it('begins a line when a panel does not fit beside the others', () => {
    const panel = { title: 'p', kind: 'stat', unit: 'short', queries: [], width: 12 } as const
    const built = buildDashboard([{ title: 'r', panels: [panel, panel, panel] }]).panels
    expect(built.map(({ gridPos: { x, y } }) => [x, y])).to.deep.equal([
      [0, 0],
      [0, 1],
      [12, 1],
      [0, 9],
    ])
  })
})
