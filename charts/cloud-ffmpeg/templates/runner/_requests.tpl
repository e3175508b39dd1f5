{{/* A quantity of Kubernetes: whole MB, or thousandths of a CPU with `cpu`. */}}
{{- define "cloud-ffmpeg.quantity" -}}
{{- $number := regexFind "^[0-9.]+" (toString .of) | float64 -}}
{{- $unit := regexFind "[A-Za-z]+$" (toString .of) -}}
{{- $bytes := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "m" 0.001 -}}
{{- if .cpu -}}
{{- mulf $number (ternary 1 1000 (eq $unit "m")) | int64 -}}
{{- else -}}
{{- divf (mulf $number (get $bytes $unit | default 0 | float64)) 1048576 | int64 -}}
{{- end -}}
{{- end -}}

{{/* YAML of what the pod of a command of `vcpus` requests: thousandths of a CPU, and MB of memory and disk. */}}
{{- define "cloud-ffmpeg.runnerRequest" -}}
{{- $runner := .root.Values.runner -}}
{{- $share := float64 $runner.cpuRequestPerVcpu -}}
{{- $transfer := $runner.transfer.cpuRequestMillis | default (mulf $share $runner.transfer.cpuMillis) -}}
{{- $limit := add (ternary 0 $runner.scratchMbytes (kindIs "map" $runner.scratch.volumeClaim)) 512 -}}
cpu: {{ addf (mulf $share .vcpus 1000) $transfer | int64 }}
memory: {{ mulf (float64 $runner.memoryRequestPerVcpu) (add (mul .vcpus $runner.memoryPerVcpuMbytes) $runner.transfer.memoryMbytes) | int64 }}
disk: {{ add (min ($runner.scratchRequestMbytes | default $limit | int64) $limit) 64 }}
{{- end -}}

{{/* What a runner requests, and what of it the largest node does not have. The node can be seen while helm installs. */}}
{{- define "cloud-ffmpeg.runnerRequests" -}}
{{- $most := 1 -}}
{{- range .Values.plans }}{{ $most = max $most (.vcpuPerCommand | default 1 | int) }}{{ end -}}
{{- $one := include "cloud-ffmpeg.runnerRequest" (dict "root" . "vcpus" 1) | fromYaml -}}
{{- $large := include "cloud-ffmpeg.runnerRequest" (dict "root" . "vcpus" $most) | fromYaml -}}
The pod of a command of 1 vCPU requests {{ include "cloud-ffmpeg.amounts" $one }} of its node,
that of {{ $most }} vCPUs, the most of a plan, {{ include "cloud-ffmpeg.amounts" $large }}.
{{- $largest := dict -}}
{{- range (lookup "v1" "Node" "" "").items -}}
{{- $has := .status.allocatable | default dict -}}
{{- range $what, $key := dict "cpu" "cpu" "memory" "memory" "disk" "ephemeral-storage" -}}
{{- $amount := include "cloud-ffmpeg.quantity" (dict "of" (get $has $key | default "0") "cpu" (eq $what "cpu")) | int64 -}}
{{- $_ := set $largest $what (max $amount (get $largest $what | default 0 | int64)) -}}
{{- end -}}
{{- end -}}
{{- if $largest }}
Of the nodes here the largest have {{ include "cloud-ffmpeg.amounts" $largest }}.
{{- $short := list -}}
{{- range $what, $amount := $large }}{{ if gt (int64 $amount) (get $largest $what | int64) }}{{ $short = append $short $what }}{{ end }}{{ end -}}
{{- with $short }}

WARNING: no node has the {{ join " and " . }} for a command of {{ $most }} vCPUs, which waits for one that has. Lower
plans.X.vcpuPerCommand, runner.cpuRequestPerVcpu, runner.memoryRequestPerVcpu or runner.scratchRequestMbytes, or add larger nodes.
{{- end }}
{{- end }}
{{- end -}}

{{- define "cloud-ffmpeg.amounts" -}}
{{ divf .cpu 1000 }} CPUs, {{ .memory }} MB of memory and {{ .disk }} MB of disk
{{- end -}}
