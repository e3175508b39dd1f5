import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Part of the image's build, as root in the server's folder of the image: starts it as a pod would, until it waits
 * for its database, and keeps what V8 compiled. It proves too that the program finds its files.
 * Node.js reads the cache from NODE_COMPILE_CACHE and takes only entries that fit its version, its
 * options, its user and the processor
 * (https://nodejs.org/api/module.html#module-compile-cache).
 */
const cache = '/app/compile-cache'
const user = 10001
const nowhere = '127.0.0.1:9'
const configFile = `${cache}/config.json`
/** One file for both servers: each ignores the settings of the other. */
const config = {
  release: { name: 'build', namespace: 'build', fullname: 'build' },
  gateway: { url: `http://${nowhere}` },
  runner: { image: 'runner' },
  storage: { endpoint: `http://${nowhere}`, bucket: 'build', publicBaseUrl: `http://${nowhere}` },
  apiServer: { drainSeconds: 0 },
}
const environment = {
  CLOUD_FFMPEG_CONFIG: configFile,
  CLOUD_FFMPEG_DATABASE_URL: `postgres://user:password@${nowhere}/database`,
  CLOUD_FFMPEG_POD_NAME: 'build',
  CLOUD_FFMPEG_POD_UID: 'build',
  CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'build',
  CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'build',
  KUBERNETES_SERVICE_HOST: '127.0.0.1',
  KUBERNETES_SERVICE_PORT: '9',
}

await mkdir(cache)
await writeFile(configFile, JSON.stringify(config))
await chown(cache, user, user)
const server = spawn(process.execPath, ['main.mjs'], {
  uid: user,
  gid: user,
  env: {
    ...environment,
    NODE_COMPILE_CACHE: cache,
    NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
const lines: string[] = []
for await (const line of createInterface({ input: server.stdout })) {
  lines.push(line)
  // Node.js writes compiled code at the end.
  if (line.includes('"waiting for the database"')) server.kill('SIGTERM')
}
await ended
await rm(configFile)
const written = await readdir(cache, { recursive: true, withFileTypes: true })
if (!lines.some((line) => line.includes('"stopping"')) || !written.some((each) => each.isFile())) {
  throw new Error(`the server did not start as far as its database:\n${lines.join('\n')}`)
}
// Root's, and readable: a program that can be made to write files must not write its own code.
for (const entry of written) {
  const file = join(entry.parentPath, entry.name)
  await chmod(file, entry.isFile() ? 0o644 : 0o755)
  await chown(file, 0, 0)
}
await chown(cache, 0, 0)
