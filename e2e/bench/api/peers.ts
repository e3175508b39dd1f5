// A process of its own: what the API is measured against.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import express from 'express'
import pg from 'pg'

const [connectionString = '', barePort, expressPort] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })
const insert = 'insert into peer_commands (command_id, request) values ($1, $2)'

const bare = createServer((request, response) => {
  void json(request).then(async (body) => {
    const id = randomUUID()
    await pool.query({ name: 'insert', text: insert, values: [id, JSON.stringify(body)] })
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ command_id: id }))
  })
})
const hello = express().disable('x-powered-by')
hello.get('/', (_request, response) => void response.json({ hello: 'world' }))

bare.listen(Number(barePort), '127.0.0.1')
hello.listen(Number(expressPort), '127.0.0.1')
