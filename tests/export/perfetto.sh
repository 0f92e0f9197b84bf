#!/bin/sh
# Perfetto's traces are well-formed for protoc; with STINT_PERFETTO_PROTO, the path of Perfetto's perfetto_trace.proto, they are
# what that says.
. "$(dirname -- "$0")/lib.sh"

command -v protoc >/dev/null || { echo "no protoc"; exit 77; }

# decode FILE - to FILE.txt
decode()
{
    if [ -n "$STINT_PERFETTO_PROTO" ]; then
        protoc --decode=perfetto.protos.Trace -I "$(dirname -- "$STINT_PERFETTO_PROTO")" "$STINT_PERFETTO_PROTO" \
            <"$1" >"$1.txt" 2>err
    else
        protoc --decode_raw <"$1" >"$1.txt" 2>err
    fi || complain "$1: $(cat err)"
}

# has FILE TEXT
has()
{
    grep -qF -e "$2" "$1" || complain "$1 has no '$2'"
}

export_all pftrace
for trace in *.pftrace; do
    decode "$trace"
done
has gpu.pftrace.txt 'cudaLaunchKernel"'
if [ -n "$STINT_PERFETTO_PROTO" ]; then
    has gpu.pftrace.txt 'primary_trace_clock: BUILTIN_CLOCK_REALTIME'
    has gpu.pftrace.txt 'type: TYPE_SLICE_BEGIN'
    has gpu.pftrace.txt 'api: CUDA'
    has gpu.pftrace.txt 'workgroup_size {'
    has gpu.pftrace.txt 'parent_uuid: '
    has gpu.pftrace.txt 'unit_name: "%"'
else
    has gpu.pftrace.txt '53 {' # gpu_render_stage_event
    has gpu.pftrace.txt '60 {' # track_descriptor
fi
exit $failed
