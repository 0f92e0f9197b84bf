#!/bin/sh
# stint ops: which operation launched which kernel. The golden files were checked by hand: ops.py says what is launched where.
. "$(dirname -- "$0")/lib.sh"

command -v python3 >/dev/null || { echo "no python3"; exit 77; }

ALL=idx,seq,altseq,tid,layer,trace,dir,sub,mod,op,kernel,params,sil,tc,device,stream,grid,block,flops,bytes

record()
{
    python3 "$here/ops.py" step.nvvp "$@"
}

# golden NAME - compares with out.
golden()
{
    diff "$GOLDEN/$1" out >difference || { complain "this differs from $1:"; cat difference; }
}

kernels_have_the_operation_that_launched_them()
{
    record
    stint ops step.nvvp -c $ALL >out 2>err
    same "the exit code" $? 0
    golden ops_all.txt
    has err "2 ranges look like operations, but cannot be parsed"
}

columns_are_those_of_pyprof_unless_others_are_asked_for()
{
    record
    stint ops step.nvvp >out 2>err
    golden ops_usual.txt
    stint ops step.nvvp -c bytes,idx,idx >out 2>err
    same "the title" "$(head -1 out)" "Bytes Idx Idx"
    same "a line" "$(sed -n 6p out)" "1120768 5 5"
}

values_may_be_quoted_or_have_a_width()
{
    record
    stint ops step.nvvp --csv -c $ALL -o out 2>err
    golden ops_all.csv
    stint ops step.nvvp -w 120 >out 2>err
    golden ops_120.txt
    same "the width" "$(awk '{ print length }' out | sort -u)" 120
    stint ops step.nvvp --json -c idx,sil,bytes >out 2>err
    same "an object" "$(sed -n 5p out)" '{"idx":5,"sil":'"$(stint ops step.nvvp -c sil | sed -n 6p)"',"bytes":1120768,'"$(
        sed -n '5s/.*\("name":.*\)/\1/p' out)"
    same "the number of objects" "$(wc -l <out)" "$(stint ops step.nvvp | sed 1d | wc -l)"
    refused "give only one of --csv, --json and -w" ops step.nvvp --json --csv
    refused "--json applies only to the list of kernels" ops step.nvvp --json --by op
}

lines_that_are_too_narrow_are_refused()
{
    record
    stint ops step.nvvp -c idx,kernel -w 8 >out 2>err
    same "the exit code" $? 1
    has err "Minimum width required to print these columns = 9. Exiting."
    stint ops step.nvvp -c idx,kernel -w 9 >out 2>err
    same "the exit code" $? 0
    same "a line" "$(sed -n 2p out)" "      1 b"
}

recordings_without_kernels_or_events_are_told()
{
    STINT_TRACE=a.stint STINT_REPORT=json STINT_OUTPUT=a.json "$SUBJECT" step 10 >out
    stint ops a.stint >out 2>err
    same "the exit code" $? 0
    has err "Found 0 kernels. Exiting."
    same "stdout" "$(cat out)" ""
    python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
report["gpu_events"] = []
json.dump(report, open("sums.json", "w"))' "$GOLDEN/report_json_gpu.json"
    stint ops sums.json >out 2>err
    same "the exit code" $? 1
    has err "has only totals of its kernels"
}

other_forms_of_a_recording_say_the_same()
{
    record
    stint export step.nvvp -o a.sqlite
    stint ops a.sqlite -c $ALL >out 2>err
    golden ops_all.txt
}

# With a CUDA that needs no GPU. 48 = 2 * 2 * 3 * 4.
programs_are_recorded_with_their_operations()
{
    [ -n "${PLAIN-}" ] || return
    export STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
    for file in a.sqlite a.stint; do
        stint run --quiet --report off --store $file "$PLAIN" cuda_annotated
        stint ops $file -c idx,seq,dir,op,kernel,params,flops >out 2>err
        same "what $file has" "$(cat out)" "Idx SeqId Direction Op Kernel Params FLOPs
1 0 fprop aten::mm kernel [2,3];[3,4] 48
2 1 fprop aten::mm kernel [2,3];[3,4] 48
3 2 fprop aten::mm kernel [2,3];[3,4] 48"
        same "stderr" "$(cat err)" ""
    done
    export STINT_INJECT_LIBRARY="$INJECT"
}

kernels_add_up_by_what_they_have_in_common()
{
    record
    for by in op module layer dir kernel; do
        echo "by $by"
        stint ops step.nvvp --by $by 2>err
    done >out
    golden ops_by.txt
    stint ops step.nvvp --by op --csv >out 2>err
    golden ops_by.csv
    stint ops step.nvvp --by thread 2>err
    same "the exit code" $? 2
    has err "--by thread: expected one of op, module, layer, dir, kernel"
}

record_with_device()
{
    record
    python3 -c 'import sqlite3
database = sqlite3.connect("step.nvvp")
database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_DEVICE (id INT, name INT, computeCapabilityMajor INT, "
                 "computeCapabilityMinor INT, numMultiprocessors INT, coreClockRate INT, globalMemorySize INT, "
                 "globalMemoryBandwidth INT)")
database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_DEVICE VALUES (0, 1, 7, 0, 160, 3060000, 1000000, 4000000000)")
database.commit()'
}

# Linear takes 700 ns and 1250 ns of 1950, at its best 2^15 * 1000 / 501.35 * 10^-12 s with Tensor Cores and twice that / 125.34
# without, and 3362304 bytes / 4 TB/s.
numbers_of_the_device_say_what_its_peak_is()
{
    record_with_device
    stint ops step.nvvp --by op --csv >out 2>err
    same "the titles" "$(head -1 out | cut -d , -f 9-14)" \
        "executed_flops,flops_per_byte,peak_flops_percent,peak_bytes_percent,bound,tensor_core_percent"
    same "linear" "$(awk -F , '/linear/ { print $9, $10, $11, $12, $13 }' out)" "98304000 29.24 30.17 43.11 memory"
    same "what waits" "$(awk -F , '$13 == "launch" { print $NF }' out | tr '\n' ' ')" \
        "aten::_foreach_add_ (no operation) aten::sum "
    stint ops step.nvvp -c op,executed >out 2>err
    same "a line" "$(sed -n 6p out)" "linear 32768000"
}

# Linear has 98304000 FLOPs, 3362304 bytes and 1950 ns: 29.237 FLOP/B and 50.412 TFLOP/s. The axes have two powers of ten each,
# from 10 on: x = 64 + (log10(29.237) - 1) / 2 * 780, y = 440 - (log10(50.412) - 1) / 2 * 412. The roofs are those above.
operations_are_drawn_below_the_roofs_of_their_device()
{
    record_with_device
    stint ops step.nvvp --roofline -o roofline.svg 2>err
    same "the exit code" $? 0
    python3 -c 'import sys, xml.etree.ElementTree as tree
names = {"s": "http://www.w3.org/2000/svg"}
image = tree.parse("roofline.svg")
points = [point for point in image.findall("s:circle", names) if point.find("s:title", names) is not None]
for point in points:
    print(point.get("cx"), point.get("cy"), point.find("s:title", names).text)
print(*sorted(text.text for text in image.findall("s:text", names) if "/s" in text.text), sep="\n")' >out
    same "the point and the roofs" "$(cat out)" \
        "245.7 295.3 linear: 28.14 % of the time, 29.24 FLOP/B, 50.412 TFLOP/s, bound by memory
4000 GB/s
TFLOP/s
fp16, Tensor Cores: 501.4 TFLOP/s
fp16: 125.3 TFLOP/s"
    stint ops step.nvvp --roofline --by op 2>err
    same "the exit code" $? 2
    has err "give only one of --by, --roofline and --advice"
}

# Of 6930 ns, the last kernel has 1400, and multiplies fp32 by its name.
advice_is_by_the_rules_that_are_documented()
{
    record_with_device
    stint ops step.nvvp --advice >out 2>err
    same "the exit code" $? 0
    same "the advice" "$(cat out)" "  20.20 % precision: aten::convolution_backward [8,16,30,30];[8,3,32,32];[16,3,3,3] \
sm80_xmma_dgrad_implicit_gemm_f32f32_f32f32_f32_ffma_nhwckrsc_nhwc in layer net.conv: multiplies fp32 without \
Tensor Cores, although most others use them: use bf16, fp16 or tf32"
    stint ops step.nvvp --advice --csv >out 2>err
    same "the titles" "$(head -1 out)" "rule,total_ns,kernels,layer,op,params,kernel,advice"
    same "a line" "$(sed -n 2p out | cut -d , -f 1-5)" 'precision,1400,1,"net.conv","aten::convolution_backward"'
}

# FLOPs of each operation in each direction, of those that both know: torch.profiler does not say what long lists have.
flops()
{
    stint ops "$1" -c dir,op,flops 2>/dev/null | awk 'NR > 1 && !/_foreach_/ { flops[$1 " " $2] += $3 }
        END { for (name in flops) print name, flops[name] }' | sort
}

# See pytorch/README.md. Products and convolutions were checked by hand: 2 * 4096 * 192 for the first addmm.
recordings_of_pytorch_have_its_operations()
{
    tar xzf "$here/pytorch/recording.tar.gz"
    gzip -dc "$here/pytorch/trace.json.gz" >a.json
    for by in op layer dir; do
        stint ops pytorch_2.11.stint --by $by 2>>err
    done >out
    stint ops pytorch_2.11.stint -c layer,seq,dir,op,kernel,params,tc,flops,bytes 2>>err | head -120 >>out
    golden ops_pytorch.txt
    same "stderr" "$(cat err)" ""
    stint ops a.json --by op >out 2>err
    golden ops_pytorch_trace.txt
    flops pytorch_2.11.stint >recording
    flops a.json >trace
    same "the number of operations" "$(wc -l <recording)" 41
    cmp recording trace || complain "FLOPs differ: $(diff recording trace)"
}

names_cannot_control_the_terminal()
{
    record
    python3 -c 'import sqlite3
database = sqlite3.connect("step.nvvp")
database.execute("UPDATE StringTable SET value = ? WHERE value = ?", ("pl\033[1m k\u00e9", "plain_kernel"))
database.commit()'
    stint ops step.nvvp -c kernel,idx >out 2>err
    grep -F 'pl\x1b[1m_ké ' out >found
    same "lines with the name" "$(wc -l <found)" 1
}

steps_do_not_mix()
{
    record 20
    stint ops step.nvvp -c op,dir,layer,sub,tc,flops >all 2>err
    same "the number of kernels" "$(wc -l <all)" 242
    stint ops step.nvvp -c seq,dir,op 2>err | awk '/aten::convolution_backward/ { print $1 }' | uniq >out
    same "the numbers of backward operations" "$(tr '\n' ' ' <out)" "$(seq -s ' ' 50 10 240) "
    sed 1,2d all | sort | uniq -c | awk '$1 % 20' >out
    same "what is not in each step" "$(cat out)" ""
}

# Sample 11, on the host. Of 2 images, forward: conv1 has 2 * 2*6*24*24 * 25 FLOPs, conv2 2 * 2*16*8*8 * 150, and fc1
# 2 * 2 * 256 * 120. Backward, conv1 has its weights' gradients only, and a sum for each output; conv2 twice as many.
operations_of_op_h_have_costs_on_the_host_too()
{
    [ -n "${LENET-}" ] || return 0
    STINT_GPU=off STINT_REPORT=off STINT_TRACE=a.stint "$LENET" >out 2>err || complain "$(cat out err)"
    stint ops a.stint -c layer,dir,op,kernel,params,device,flops >out 2>err
    for line in "conv1 fprop conv2d host [2,1,28,28]fp32;[6,1,5,5]fp32;[6]fp32 - 345600" \
        "conv2 fprop conv2d host [2,6,12,12]fp32;[16,6,5,5]fp32;[16]fp32 - 614400" \
        "conv2 bprop conv2d host [2,6,12,12]fp32;[16,6,5,5]fp32;[16]fp32 - 1228800" \
        "fc1 fprop linear host [2,256]fp32;[120,256]fp32;[120]fp32 - 122880"; do
        same "lines '$line'" "$(grep -cxF -e "$line" out)" 20
    done
    same "first layer backward" "$(grep -c '^conv1 bprop convolution_backward host .* - 352512$' out)" 21
    stint ops a.stint --by layer --csv >out 2>err
    same "layers" "$(sed 1d out | sed 's/.*,//' | tr -d '"' | sort | tr '\n' ' ')" "conv1 conv2 fc1 fc2 fc3 loss "
}

# 64*16*10*10 results of 150 products, of (64*6*14*14 + 16*6*5*5 + 64*16*10*10 + 16) halves; backward twice that, without
# the bias, on the longest kernel of the operation.
kernels_have_the_operation_of_op_h()
{
    STINT_CUPTI_PATH="$MOCK_CUPTI" STINT_GPU=on STINT_REPORT=off STINT_TRACE=a.stint "$OPERATIONS" 2>err || complain "$(cat err)"
    stint ops a.stint -c seq,layer,dir,op,kernel,tc,flops,bytes >out 2>err
    same "the lines" "$(sed -n 2,7p out)" "1 conv1 fprop conv2d nchwToNhwcKernel - 0 0
1 conv1 fprop conv2d sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32 1 30720000 360160
- - fprop mm nvjet_qqtst 1 16384 2176
1 conv1 bprop conv2d sm80_xmma_dgrad_implicit_gemm_f16f16_f16f32_f32 1 61440000 720256
1 conv1 bprop conv2d sm80_xmma_wgrad_implicit_gemm_f16f16_f16f32_f32 1 0 0
2 conv1 fprop conv2d nchwToNhwcKernel - 0 0"
    same "the last line" "$(tail -n 1 out)" "- - na na elsewhere na na na"
    stint ops a.stint --by layer --csv >out 2>err
    has out conv1
}

operations_inside_too_many_others_are_told()
{
    export STINT_CUPTI_PATH="$MOCK_CUPTI" STINT_GPU=on STINT_REPORT=off STINT_TRACE=a.stint
    (ulimit -s 65536 && "$OPERATIONS" 16389) 2>err || complain "$(cat err)"
    stint ops a.stint -c op,kernel >out 2>err
    same "the line" "$(sed 1d out)" "mm nested"
    has err "5 ranges are left out: they are inside 16384 others"
}

# As a pager, of which somebody reads the first page.
readers_may_take_their_time()
{
    tar -xzf "$here/pytorch/recording.tar.gz"
    stint ops pytorch_2.11.stint --json >all 2>err
    [ "$(wc -c <all)" -gt 100000 ] || complain "a pipe has room for all"
    stint ops pytorch_2.11.stint --json 2>err | {
        sleep 3
        cat >slow
    }
    cmp all slow || complain "stderr: $(cat err)"
}

run_tests kernels_have_the_operation_of_op_h operations_inside_too_many_others_are_told operations_of_op_h_have_costs_on_the_host_too kernels_have_the_operation_that_launched_them \
    columns_are_those_of_pyprof_unless_others_are_asked_for \
    values_may_be_quoted_or_have_a_width lines_that_are_too_narrow_are_refused \
    recordings_without_kernels_or_events_are_told other_forms_of_a_recording_say_the_same \
    kernels_add_up_by_what_they_have_in_common programs_are_recorded_with_their_operations steps_do_not_mix \
    numbers_of_the_device_say_what_its_peak_is operations_are_drawn_below_the_roofs_of_their_device \
    advice_is_by_the_rules_that_are_documented names_cannot_control_the_terminal \
    recordings_of_pytorch_have_its_operations readers_may_take_their_time
