#!/bin/bash
# First process of a node's network, mount and process namespaces. It is bash, because bash collects the processes that
# ended containers leave behind. Its own end by SIGKILL ends everything in here and drops every mount at once.
#
# node.sh FOLDER KEYS NODE_NAME NODE_ADDRESS PAUSE_ARCHIVE PAUSE_NAME KUBERNETES_FOLDER
set -euo pipefail
folder=$1 keys=$2 node_name=$3 node_address=$4 pause_archive=$5 pause_name=$6 kubernetes=$7

mount --make-rshared /

# The kubelet wants these values and would write them for the whole machine; it is shown files that have them.
mkdir -p "$folder/sysctl"
show() {
  printf '%s\n' "$2" >"$folder/sysctl/${1##*/}"
  mount --bind "$folder/sysctl/${1##*/}" "/proc/sys/$1"
}
show vm/overcommit_memory 1
show vm/panic_on_oom 0
show kernel/panic 10
show kernel/panic_on_oops 1
show kernel/keys/root_maxkeys 1000000
show kernel/keys/root_maxbytes 25000000

# Fixed paths that containerd, the kubelet and CNI write to: the node has its own.
for path in /run/netns /var/log/pods /var/log/containers /var/lib/cni /run/containerd /var/lib/kubelet; do
  mkdir -p "$path" "$folder/private$path"
  mount --bind "$folder/private$path" "$path"
done
mount --make-rshared /var/lib/kubelet

# of this network namespace only
echo 1 >/proc/sys/net/ipv4/ip_forward

socket=$folder/containerd.sock
ctr() { command ctr --address "$socket" --namespace k8s.io "$@"; }

# As an init system would: a component that ends is started again, its containers live on.
keep() {
  local log=$folder/log/$1.log
  shift
  while :; do
    "$@" >>"$log" 2>&1 || true
    echo "$1 ended, starting it again" >>"$log"
    sleep 0.5
  done
}

keep containerd containerd --config "$folder/containerd.toml" &
tries=0
until ctr version >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || { echo 'containerd does not answer' >&2; exit 1; }
  sleep 0.1
done
ctr images import "$pause_archive" >/dev/null
ctr images label "$pause_name" io.cri-containerd.pinned=pinned >/dev/null

keep kubelet "$kubernetes/kubelet" --config="$folder/kubelet.json" --kubeconfig="$keys/kubelet.conf" \
  --hostname-override="$node_name" --node-ip="$node_address" &
keep kube-proxy "$kubernetes/kube-proxy" --config="$folder/proxy.json" --hostname-override="$node_name" &
wait
