# In place of docker.io/versity/versitygw: the same server, built without its other backends, behind the command line of
# that image (--port :PORT posix FOLDER).
ARG BASE=debian:trixie-slim
FROM ${BASE}
COPY server/versitygw /usr/local/bin/versitygw
RUN printf '%s\n' '#!/bin/sh' 'exec /usr/local/bin/versitygw -listen "0.0.0.0$2" "$4"' >/usr/local/bin/entrypoint \
 && chmod a+x /usr/local/bin/entrypoint
ENTRYPOINT ["/usr/local/bin/entrypoint"]
