# In place of docker.io/library/postgres, which a machine without a registry cannot pull: initdb and postgres in PATH and
# a user postgres with the id 999, which is all that the chart uses of that image.
ARG BASE=debian:trixie-slim
FROM ${BASE}
COPY native /usr/local/pgsql
RUN chmod -R a+rX /usr/local/pgsql && chmod a+x /usr/local/pgsql/bin/* \
 && printf '%s\n' 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' >>/etc/passwd \
 && printf '%s\n' 'postgres:x:999:' >>/etc/group
ENV PATH=/usr/local/pgsql/bin:/usr/bin:/bin
