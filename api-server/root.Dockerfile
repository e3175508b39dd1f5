# What the servers' images share: Node.js, what it links to and the production modules; no shell, no
# package manager. The build context holds a Node.js binary as package/bin/node and the modules as
# node_modules/.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS system
COPY package/bin/node /usr/local/bin/node
# only the libraries that the program links to
RUN ldd /usr/local/bin/node | grep -o '/[^ ]*' | while read -r library; do \
      install -D "$library" "/out$library"; \
    done \
 && install -D /usr/local/bin/node /out/usr/local/bin/node \
 && mkdir -p /out/etc /out/tmp && chmod 1777 /out/tmp \
 && printf '%s\n' 'root:x:0:0:root:/root:/sbin/nologin' 'server:x:10001:10001::/nonexistent:/sbin/nologin' >/out/etc/passwd \
 && printf '%s\n' 'root:x:0:' 'server:x:10001:' >/out/etc/group \
 && printf '%s\n' 'hosts: files dns' >/out/etc/nsswitch.conf

FROM scratch
COPY --from=system /out /
COPY node_modules /app/node_modules
