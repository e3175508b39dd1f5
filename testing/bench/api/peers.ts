// A process of its own: what the API is measured against, as few lines as the same work takes.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import express from 'express'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['PEER_DATABASE_URL'], max: 10 })
const account = process.env['PEER_ACCOUNT']

const bare = createServer((request, response) => {
  void answer(request).then(
    (body) => json(response, 200, body),
    (error: unknown) => json(response, 500, { detail: String(error) }),
  )
})

async function answer(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (request.method === 'POST') return insert(JSON.parse(await text(request)))
  if (url.pathname === '/list') return list(url.searchParams)
  return find(url.pathname.slice(1))
}

const hello = express()
hello.disable('x-powered-by')
hello.post('/', express.json(), async (request, response) => {
  const body: unknown = request.body
  response.json(await insert(body))
})
hello.get('/', (_request, response) => {
  response.json({ hello: 'world' })
})

async function insert(body: unknown): Promise<unknown> {
  const id = randomUUID()
  await pool.query({
    name: 'insert',
    text: 'insert into peer_commands (command_id, account_id, request) values ($1, $2, $3)',
    values: [id, account, JSON.stringify(body)],
  })
  return { command_id: id }
}

async function find(id: string): Promise<unknown> {
  const found = await pool.query<object>({
    name: 'find',
    text: 'select * from commands where command_id = $1 and account_id = $2',
    values: [id, account],
  })
  return found.rows[0] ?? { detail: 'Command not found' }
}

async function list(query: URLSearchParams): Promise<unknown> {
  const status = query.get('status')
  const filter = status === null ? '' : `and status = '${status}'`
  const found = await pool.query<object>({
    name: `list${filter}`,
    text: `select command_id, environment_name, status, error_status, error_message, created_at,
        processing_bytes, command_type, finished_at, metadata
      from commands where account_id = $1 and command_type <> 'STORED_FILE' ${filter}
      order by created_at desc, command_id desc limit $2 offset $3`,
    values: [account, query.get('limit'), query.get('offset')],
  })
  return found.rows
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const piece of request) if (Buffer.isBuffer(piece)) chunks.push(piece)
  return Buffer.concat(chunks).toString()
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const ports = { bare: await listen(bare), express: await listen(createServer(hello)) }
console.log(JSON.stringify(ports))
