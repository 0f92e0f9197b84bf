#!/bin/sh
# stint run --ops, with a torch that is as PyTorch where that matters (capture/fake), and with programs that are to go on as
# if stint were not there.
. "$(dirname -- "$0")/lib.sh"

PYPROF=idx,seq,altseq,tid,layer,trace,dir,sub,mod,op,kernel,params,sil,tc,device,stream,grid,block,flops,bytes

command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || { echo "this Python is older than 3.8"; exit 77; }

export DEVICE PYTHONPATH="$here/capture/fake" STINT_INJECT_LIBRARY="$REAL" STINT_CUPTI_PATH="$CUPTI"
unset STINT_OPS FAKE_TORCH RANK

# run ARGUMENTS... - runs Python so, and keeps what it recorded in a.stint.
run()
{
    stint run --quiet --report off --ops ${options-} --store a.stint python3 "$@" >out 2>err
    code=$?
}

train()
{
    run "$here/capture/train.py" "$@"
}

# column NAMES - prints them, without the titles.
column()
{
    stint ops a.stint -c "$1" 2>operations.err | sed 1d
}

kernels_have_operations_layers_types_and_directions()
{
    train
    same "the exit code" $code 0
    same "stderr" "$(cat err)" ""
    stint ops a.stint -c layer,seq,dir,op,params,flops,bytes >out 2>err
    same "the lines" "$(cat out)" "Layer SeqId Direction Op Params FLOPs Bytes
net.first 8 fprop aten::mm [4,16]fp32;[16,32]fp32 4096 2816
net 9 fprop aten::relu [4,32]fp32 128 1024
net.last 10 fprop aten::mm [4,32]fp32;[32,8]fp32 2048 1664
net.last 10 bprop aten::mm [4,32]fp32;[32,8]fp32 2048 1664
net.last 10 bprop aten::mm [4,32]fp32;[32,8]fp32 2048 1664
net 9 bprop aten::mul [4,32]fp32 128 1024
net 9 bprop aten::add_ [4,32]fp32 128 1024
net.first 8 bprop aten::mm [4,16]fp32;[16,32]fp32 4096 2816
net.first 8 bprop aten::mm [4,16]fp32;[16,32]fp32 4096 2816
SGD - optim aten::_foreach_add_ [16,32]fp32;[32,8]fp32 768 6144"
    same "what cannot be read" "$(cat err)" ""
}

types_hold_for_iterations_that_were_not_watched()
{
    options="--ops-iterations 2"
    train 6
    column params | grep -c fp32 >counts
    same "lines with types" "$(cat counts)" 60
    options="--ops-iterations 0"
    train 2
    column params | grep -c fp32 >counts
    same "lines with types" "$(cat counts)" 0
    same "shapes" "$(column params | head -1)" "[4,16];[16,32]"
    options=
}

types_are_known_also_if_recording_begins_later()
{
    cat >program.py <<'END'
import torch
net = torch.nn.Linear(4, 4)
with torch.no_grad():
    for i in range(5):
        if i == 4:
            torch.cuda.profiler.start()
        net(torch.zeros(4, 4))
END
    options="--from-start off --ops-iterations 2"
    run program.py
    same "lines" "$(column layer,params)" "net [4,4]fp32;[4,4]fp32"
    options=
}

# The same shapes in the same layer, but fp16 in the third iteration only.
types_that_depend_are_not_guessed()
{
    cat >program.py <<'END'
import torch
net = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD([net.weight])
for dtype in [torch.float32, torch.float32, torch.float16, torch.float32]:
    net.weight = torch.zeros(4, 4, dtype=dtype)
    net(torch.zeros(4, 4, dtype=dtype)).backward()
    optimizer.step()
END
    run program.py
    same "the types" "$(column dir,params | grep '^fprop' | tr '\n' ' ')" \
        "fprop [4,4]fp32;[4,4]fp32 fprop [4,4]fp32;[4,4]fp32 fprop [4,4]fp16;[4,4]fp16 fprop [4,4];[4,4] "
}

calls_without_gradients_are_iterations_too()
{
    cat >program.py <<'END'
import torch
net = torch.nn.Linear(4, 4)
with torch.no_grad():
    for _ in range(5):
        net(torch.zeros(4, 4))
END
    run program.py
    same "lines" "$(column layer,dir,params | sort | uniq -c | sed 's/^ *//')" "5 net fprop [4,4]fp32;[4,4]fp32"
}

networks_are_called_as_the_program_calls_them()
{
    cat >program.py <<'END'
import torch
class Trainer:
    def __init__(self):
        self.model = torch.nn.Linear(4, 4)
    def run(self, x):
        self.model(x)
class Broken(torch.nn.Module):
    def __init__(self):
        self.inner = torch.nn.Linear(4, 4)
    def forward(self, x):
        self.inner(x)
        raise ValueError
def main():
    x = torch.zeros(4, 4)
    Trainer().run(x)
    torch.nn.Linear(4, 4)(x)
    for layer in [torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)]:
        kept.append(layer)
        layer(x)
    broken = Broken()
    try:
        broken(x)
    except ValueError:
        pass
    kept[0](x)
kept = []
main()
END
    run program.py
    same "stderr" "$(cat err)" ""
    same "the layers" "$(column layer | tr '\n' ' ')" "model Linear layer layer#2 broken.inner layer "
}

lines_of_the_program_that_call_operations_are_kept()
{
    options=--trace-calls=2
    train
    same "lines" "$(column dir,trace | sed "s|$here/||g" | sort | uniq -c | sed 's/^ *//')" \
        "6 bprop capture/train.py:21,capture/train.py:13
3 fprop capture/train.py:21,capture/train.py:13
1 optim -"
    options=
}

the_report_is_printed_if_the_recording_is_not_kept()
{
    mkdir temporary%d
    TMPDIR=$PWD/temporary%d stint run --report off --ops python3 "$here/capture/train.py" 4 >out 2>err
    same "the exit code" $? 0
    same "stdout" "$(cat out)" ""
    same "what is left behind" "$(ls -A temporary%d)" ""
    has err "PyTorch's observer watched 51 operations in 3 iterations"
    same "the rows" "$(awk '$3 ~ /^[0-9]/ && NF > 9 { print $4, $NF }' err | tr '\n' ' ')" \
        "24 aten::mm 4 aten::mul 4 aten::relu 4 aten::add_ 4 aten::_foreach_add_ 36 net 12 first 12 last 4 SGD "
    stint run --quiet --report off --ops --top 1 --log-file log python3 "$here/capture/train.py" 2>err
    same "stderr" "$(cat err)" ""
    has log "3 more rows: --top 0 shows them"
}

kernels_are_a_report_of_their_own()
{
    stint run --quiet --report ops --ops --log-file log python3 "$here/capture/train.py" 2>err
    same "the exit code" $? 0
    same "stderr" "$(cat err)" ""
    stint run --quiet --report table,ops:csv --ops --store a.sqlite --log-file both python3 "$here/capture/train.py"
    stint ops a.sqlite >lines
    same "lines in the log" "$(wc -l <log)" "$(wc -l <lines)"
    same "their first" "$(head -n 1 log)" "$(head -n 1 lines)"
    stint ops a.sqlite --csv -c "$PYPROF" >lines
    tail -n "$(wc -l <lines)" both >csv
    same "in CSV" "$(cat csv)" "$(cat lines)"
    stint run --report ops true 2>err
    same "the exit code without operations" $? 2
    has err "--report ops: add --ops"
}

# same_alone NAME ARGUMENTS... - output and exit code are those without stint.
same_alone()
{
    what=$1
    shift
    "$@" >alone 2>alone.err
    code=$?
    stint run --quiet --report off --ops --store a.stint "$@" >out 2>err
    same "the exit code of $what" $? $code
    cmp -s out alone || { complain "the output of $what"; diff out alone; }
    cmp -s err alone.err || { complain "the messages of $what"; diff err alone.err; }
}

programs_go_on_as_if_stint_were_not_there()
{
    mkdir site other
    echo 'import sys; print("site", [p for p in sys.path if "stint" in p and "cli/capture" not in p])' >site/sitecustomize.py
    echo 'raise ValueError("wrong")' >other/sitecustomize.py
    echo 'loss = 1' | tee other/torch.py >other/jax.py
    echo 'import sys; print(sys.argv[1:], [m for m in sys.modules if "torch" in m], [p for p in sys.path if "share/stint" not in p])' >bare.py
    echo 'import torch, jax, sys; print(torch.loss, jax.loss, torch.__spec__.loader.__dict__.get("exec_module"), len(sys.meta_path))' >own.py
    for flags in "" -S -I; do
        same_alone "python3 $flags" python3 $flags bare.py a b
    done
    same_alone "a module" python3 -m bare
    same_alone "a command" python3 -c 'import sys; print(sys.path[1:])'
    same_alone "no torch" env PYTHONPATH= python3 -c 'import torch'
    same_alone "a mistake" python3 -c 'import torch; torch.nothing'
    cp own.py other/own.py
    same_alone "a torch beside it" python3 other/own.py
    PYTHONPATH=site:$PYTHONPATH same_alone "a sitecustomize" python3 bare.py
    PYTHONPATH=other same_alone "a sitecustomize that fails" python3 bare.py
    cat >many.py <<'END'
import multiprocessing, sys
def work(n):
    import torch
    net = torch.nn.Linear(4, 4)
    net(torch.zeros(4, 4))
    return n * n
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1, 2]))
END
    for kind in spawn fork; do
        same_alone "processes by $kind" python3 many.py $kind
    done
    for wrong in none old; do
        FAKE_TORCH=$wrong same_alone "a torch that is $wrong" python3 "$here/capture/train.py" 2
    done
}

what_refuses_is_left_out_and_told()
{
    FAKE_TORCH=profiler train
    same "the exit code" $code 0
    has err "stint: operations are not recorded: RuntimeError: the profiler refuses"
    FAKE_TORCH=none stint run --report off --ops --store a.stint python3 "$here/capture/train.py" 2>err
    has err "stint: operations are not recorded: this PyTorch was built without CUDA"
    FAKE_TORCH=observer train
    same "the exit code" $code 0
    has err "stint: types and strides of operations are not recorded: the observer refuses"
    same "layers" "$(column layer | head -1)" net.first
    FAKE_TORCH=damaged train
    has err "cannot be read"
    FAKE_TORCH=old train
    same "stderr" "$(cat err)" ""
    same "layers" "$(column layer,params | head -1)" "net.first [4,16];[16,32]"
}

profilers_of_the_program_come_first()
{
    cat >program.py <<'END'
import torch
net = torch.nn.Linear(4, 4)
profiler = torch.autograd.profiler
net(torch.zeros(1, 4))
with profiler.emit_nvtx(record_shapes=True):
    net(torch.zeros(2, 4))
with profiler.profile():
    print(profiler._is_profiler_enabled)
    net(torch.zeros(3, 4))
print(profiler._is_profiler_enabled)
net(torch.zeros(4, 4))
observer = torch.profiler.ExecutionTraceObserver().register_callback("own.json")
observer.start()
net(torch.zeros(5, 4))
observer.stop()
observer.unregister_callback()
END
    run program.py
    same "the exit code" $code 0
    same "stderr" "$(cat err)" ""
    same "stdout" "$(tr '\n' ' ' <out)" "True True "
    same "the operations" "$(column layer,op,params | tr '\n' ' ')" "net aten::mm [1,4]fp32;[4,4]fp32 net aten::mm \
[2,4]fp32;[4,4]fp32 net na na net aten::mm [4,4]fp32;[4,4]fp32 net aten::mm [5,4];[4,4] "
    same "what its observer wrote" "$(grep -c aten::mm own.json)" 2
}

profiler_that_finds_cupti_taken_is_told_once()
{
    cat >program.py <<'END'
import enum, torch
Activity = enum.Enum("Activity", "CPU CUDA")
for activities in [{Activity.CPU}, {Activity.CPU, Activity.CUDA}, {Activity.CUDA}]:
    with torch.autograd.profiler.profile(activities=activities):
        pass
END
    told="stint: torch.profiler sees nothing of the GPU here: CUPTI serves one tool at a time, and stint has it"
    stint run --report off --ops python3 program.py 2>err
    lines err "$told (stint run --gpu off leaves it to torch.profiler)" 1
    stint run --report off --ops --gpu off python3 program.py 2>err
    lines err "$told" 0
    run program.py
    lines err "$told" 0
}

forks_do_not_disturb_the_observer()
{
    cat >program.py <<'END'
import os, sys
import torch
class Net(torch.nn.Module):
    def __init__(self):
        self.first = torch.nn.Linear(4, 4)
    def forward(self, x):
        x = self.first(x)
        pid = os.fork()
        if not pid:
            self.first(torch.zeros(8, 4))
            sys.stdout.flush()
            if len(sys.argv) > 1:
                os._exit(0)
            sys.exit(0)
        os.waitpid(pid, 0)
        return torch.relu(x)
net = Net()
for _ in range(3):
    net(torch.zeros(4, 4))
END
    # Python 3.12 counts threads when it forks, stint's too (stint(7)).
    PYTHONWARNINGS=ignore::DeprecationWarning
    export PYTHONWARNINGS
    for how in "" exit; do
        run program.py $how
        same "the exit code" $code 0
        same "stderr" "$(cat err)" ""
        same "what has types" "$(column op,params | sort | uniq -c | sed 's/^ *//')" "3 aten::mm [4,4]fp32;[4,4]fp32
3 aten::relu [4,4]fp32"
    done
    unset PYTHONWARNINGS
}

threads_have_operations_and_layers_of_their_own()
{
    cat >program.py <<'END'
import threading
import torch
net = torch.nn.Linear(4, 4)
def work():
    net(torch.zeros(4, 4))
net(torch.zeros(4, 4))
for _ in range(3):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
END
    run program.py
    same "lines" "$(column layer,op,params | sort | uniq -c | sed 's/^ *//')" "4 net aten::mm [4,4]fp32;[4,4]fp32"
}

functions_that_are_compiled_are_layers()
{
    cat >program.py <<'END'
import torch
loss = torch.compile(lambda x: torch.relu(x))
@torch.compile(mode="max-autotune")
def step(x):
    return loss(torch.relu(x))
step(torch.zeros(4, 4))
net = torch.compile(torch.nn.Linear(4, 4))
net(torch.zeros(4, 4))
print(step.__name__, step.made_of.__name__)
END
    run program.py
    same "the output" "$(cat out)" "compiled step"
    same "lines" "$(column layer,op,params)" "step aten::relu [4,4]fp32
step.compiled aten::relu [4,4]fp32
net aten::mm [4,4]fp32;[4,4]fp32"
}

fused_kernels_have_nodes_operations_and_a_layer()
{
    cat >program.py <<'END'
import torch
step = torch.compile(lambda x: x, backend="inductor")
for _ in range(2):
    step(torch.zeros(8))
END
    options="--ops-iterations 1"
    run program.py
    options=
    same "stderr" "$(cat err)" ""
    same "lines" "$(column layer,op,params | sort | uniq -c | sed 's/^ *//')" "2 step.mlp triton_poi_fused_gelu_0 \
[8]fp32;kernel_file=c0.py;nodes=x,gelu;aten=aten.view,aten.gelu"
    same "JSON" "$(stint ops a.stint --json | grep -c '{"name":"aten","value":"aten.view,aten.gelu"}],')" 2
}

fused_kernels_of_a_cache_have_the_layer_of_their_nodes()
{
    cat >program.py <<'END'
import torch
step = torch.compile(lambda x: x, backend="inductor", cached=True)
for _ in range(2):
    step(torch.zeros(8))
END
    options="--ops-iterations 1"
    run program.py
    options=
    same "stderr" "$(cat err)" ""
    same "lines" "$(column layer,op | sort | uniq -c | sed 's/^ *//')" "2 step.mlp.0 triton_poi_fused_gelu_0"
}

collectives_have_bytes_in_all_iterations()
{
    cat >program.py <<'END'
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        torch.all_reduce(x)
        return x
net = Net()
with torch.no_grad():
    for _ in range(5):
        net(torch.zeros(1024))
END
    run program.py
    same "lines" "$(column layer,op,bytes,bus | sort | uniq -c | sed 's/^ *//')" "5 net record_param_comms 8192 4096"
}

what_is_compiled_is_left_alone()
{
    cat >program.py <<'END'
import torch
torch.compiler.is_on = True
net = torch.nn.Linear(4, 4)
net(torch.zeros(4, 4))
torch.compiler.is_on = False
net(torch.zeros(4, 4))
END
    run program.py
    same "the layers" "$(column layer | tr '\n' ' ')" "- net "
}

calls_of_compiled_graphs_have_the_layer_of_their_nodes()
{
    PYTHONPATH= python3 "$here/capture/graphs.py" "$(dirname "$STINT")/../share/stint/python" >out 2>&1
    same "the exit code" $? 0
    same "the output" "$(cat out)" ""
}

instructions_of_xla_cost_what_was_computed_by_hand()
{
    PYTHONPATH= python3 "$here/capture/instructions.py" "$(dirname "$STINT")/../share/stint/python" >out 2>&1
    same "the exit code" $? 0
    same "the output" "$(cat out)" ""
}

programs_of_jax_have_what_xla_says_of_them()
{
    run "$here/capture/step.py"
    same "the exit code" $code 0
    same "stderr" "$(cat err)" ""
    stint ops a.stint -c layer,dir,op,kernel,params,tc,flops,bytes >out 2>err
    same "the lines" "$(cat out)" "Layer Direction Op Kernel Params TC FLOPs Bytes
(autotuning) fprop gemm gemm_1 hlo_op=gemm.1 na na na
jit(step)/first bprop dot_general cutlass [4,16]fp32;[16,8]fp32;hlo_op=custom-call.1 na 1024 896
jit(step)/first fprop tanh loop_tanh_2 [4,8]fp32;hlo_op=loop_tanh.2 - 640 256
jit(step) fprop copy copy_7 [4,8]fp32;hlo_op=copy.7 - 0 256
jit(step)/first bprop dot_general cutlass [2,16]fp32;[16,8]fp32;hlo_op=custom-call.1 na 512 704
jit(step)/first fprop tanh loop_tanh_2 [2,8]fp32;hlo_op=loop_tanh.2 - 320 128
jit(step) fprop copy copy_7 [2,8]fp32;hlo_op=copy.7 - 0 128"
    same "what cannot be read" "$(cat err)" ""
    options="--delay 0.3"
    printf 'import time\nexec(open("%s").read())\ntime.sleep(0.4)\njax.run("jit_step,program_id=3313", %s)\n' \
        "$here/capture/step.py" '[("hlo_op=copy.7", "later")]' >program.py
    run program.py
    options=
    same "the line" "$(column kernel,op,bytes | grep later)" "later copy 256"
}

what_jax_does_not_say_is_told()
{
    cat >program.py <<'END'
import jax
jax.jit("ENTRY %m (a: f32[2]) -> f32[2] {\n  %b = f32[2]{0} dot(%a), lhs_contracting_dims={4}\n}\n", 1)
jax.jit(None, 2)
END
    stint run --report off --ops --store a.stint python3 program.py 2>err
    same "the exit code" $? 0
    same "stderr" "$(grep -v "the recording is in" err)" \
        "stint: what operations of JAX cost is not known of all: an instruction of jit_step cannot be read"
    cat >program.py <<'END'
import sys
sys.modules["jax._src.compiler"] = sys
import jax
END
    run program.py
    same "the exit code" $code 0
    has err "stint: what operations of JAX cost is not known: AttributeError: "
    mkdir jax
    echo 'text = "mine"' >jax/__init__.py
    echo 'import jax; print(jax.text)' >program.py
    run program.py
    same "another jax" "$(cat out err)" mine
}

without_its_folder_it_is_refused()
{
    mkdir bin
    cp "$STINT" bin/stint
    bin/stint run --ops true 2>err
    same "the exit code" $? 2
    has err "--ops: share/stint/python was not found"
}

run_tests kernels_have_operations_layers_types_and_directions types_hold_for_iterations_that_were_not_watched \
    types_are_known_also_if_recording_begins_later types_that_depend_are_not_guessed \
    calls_without_gradients_are_iterations_too networks_are_called_as_the_program_calls_them \
    lines_of_the_program_that_call_operations_are_kept the_report_is_printed_if_the_recording_is_not_kept \
    kernels_are_a_report_of_their_own \
    programs_go_on_as_if_stint_were_not_there what_refuses_is_left_out_and_told profilers_of_the_program_come_first \
    profiler_that_finds_cupti_taken_is_told_once \
    forks_do_not_disturb_the_observer threads_have_operations_and_layers_of_their_own functions_that_are_compiled_are_layers \
    fused_kernels_have_nodes_operations_and_a_layer fused_kernels_of_a_cache_have_the_layer_of_their_nodes \
    collectives_have_bytes_in_all_iterations what_is_compiled_is_left_alone \
    calls_of_compiled_graphs_have_the_layer_of_their_nodes \
    instructions_of_xla_cost_what_was_computed_by_hand programs_of_jax_have_what_xla_says_of_them \
    what_jax_does_not_say_is_told \
    without_its_folder_it_is_refused
