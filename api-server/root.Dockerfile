# What the servers' images share: Node.js, what it links to and its licence; no shell, no package
# manager. The build context holds Node.js as node/bin/node and node/LICENSE.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS system
COPY node/bin/node /usr/local/bin/node
COPY node/LICENSE /out/usr/share/doc/node/LICENSE
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
# Young objects get 2 MB in place of 16: a server has few, and the rest would be resident for good.
# Stack traces name the sources.
ENV NODE_OPTIONS="--max-semi-space-size=2 --enable-source-maps"
# glibc keeps what it once allocated, for each thread; with a fixed threshold it returns it: 5 MB.
ENV MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2
