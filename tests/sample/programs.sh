#!/bin/sh
# Programs of the system do the same under stint as alone: what they print, how they end, what they see of signals and of
# time, whatever stint looks at.
. "$(dirname -- "$0")/../cli/lib.sh"
unset STINT_INJECT_LIBRARY STINT_SAMPLE

# end_of COMMAND... - runs it, in a folder of its own, and notes how it ended; what it printed is in out and err.
end_of()
{
    rm -rf alone && mkdir alone
    (cd alone && timeout 30 "$@" >../out 2>../err </dev/null)
    echo $? >end
}

# alike COMMAND... - stint says nothing but to its log.
alike()
{
    end_of "$@"
    for file in out err end; do
        mv $file "$file.bare"
    done
    for how in --sample=997 "--osrt --sample=wall:2000" "--store ../run.sqlite"; do
        # shellcheck disable=SC2086
        end_of "$STINT" run $how --quiet --log-file ../log --report csv "$@"
        for file in out err end; do
            cmp -s $file "$file.bare" || complain "$* with $how: $file: $(diff "$file.bare" $file | head -4)"
        done
    done
}

# needs PROGRAM - whether it is there.
needs()
{
    command -v "$1" >/dev/null 2>&1
}

shells_wait_trap_and_are_killed()
{
    alike sh -c 'trap "echo term" TERM; kill -TERM $$; trap - TERM; sleep 0.05 & wait $!; echo $?; (kill -INT $$) ; echo no'
    alike sh -c '(sh -c "kill -SEGV \$\$") 2>/dev/null; echo $?; kill -USR2 $$'
    ! needs bash || alike bash -c 'trap; read -t 0.05 line < <(sleep 1); echo $?; coproc cat; echo x >&"${COPROC[1]}"; read -r y <&"${COPROC[0]}"; echo $y; exit 7'
}

data_pass_through_pipes_whole()
{
    alike sh -c 'dd if=/dev/zero bs=1M count=4 2>/dev/null | wc -c; seq 9999 | sort -R | sort -n | tail -n 1; seq 90000 | head -n 1'
    alike sh -c 'mkdir d; seq 1000 >d/x; tar -czf d.tgz d; tar -xzOf d.tgz d/x | cksum; cat nothing; exit 3'
}

times_are_as_long()
{
    alike timeout 0.1 sleep 5
    alike timeout --preserve-status -s INT 0.1 sleep 5
}

python_has_its_own_signals()
{
    python=$(python3 -c 'import sys; print(sys.executable)') || return
    cat >program.py <<'END'
import multiprocessing, os, select, signal, socket, sys, time

def half(n):
    return n // 2

if __name__ == '__main__':
    print([signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)])
    before = signal.signal(signal.SIGTERM, lambda *_: print('term'))
    os.kill(os.getpid(), signal.SIGTERM)
    signal.signal(signal.SIGTERM, before)
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)
    except KeyboardInterrupt:
        print('interrupted')
    begin = time.monotonic()
    print(select.select([], [], [], 0.05), time.monotonic() - begin >= 0.05)
    ours, theirs = socket.socketpair()
    ours.settimeout(0.02)
    try:
        ours.recv(1)
    except OSError as error:
        print(error)
    for method in ('fork', 'forkserver'):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(pool.map(half, range(8)))
    sys.exit(5)
END
    alike "$python" "$PWD/program.py"
}

builds_and_databases_are_the_same()
{
    printf 'all: a b\n\t@sort a b\na b:\n\t@echo $@ >$@\nbad:\n\t@exit 4\n' >Makefile
    ! needs make || alike sh -c 'make -s -j2 -f ../Makefile; make -s -f ../Makefile bad'
    ! needs perl || alike perl -MTime::HiRes=ualarm -e \
        '$SIG{ALRM} = sub { print "alarm\n" }; ualarm 50000; print select(undef, undef, undef, 3), "\n"; kill "TERM", $$'
    ! needs git || alike sh -c 'git init -q . && echo a >f && git add f && git ls-files -s && git nothing'
}

run_tests shells_wait_trap_and_are_killed data_pass_through_pipes_whole times_are_as_long python_has_its_own_signals \
    builds_and_databases_are_the_same
