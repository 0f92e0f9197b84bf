#!/bin/sh
# commands.sh SOURCE BIN WORK CC - runs the commands that the documentation prints, page by page, on this machine.
#
# The pages are README.md and those of docs and samples. Their commands are the blocks ```sh, and the lines that begin
# with "$ " in all others. Each command has to succeed; one that
# checks limits (--gate) may also exit with 1 or 3, because the limits are met or not by chance. What a command needs
# beyond stint and a C compiler is said first, in the block's first line or at the command's end: "# needs a GPU, PROGRAM".
# Such commands run where the programs are there, and are listed where they are not.
#
# The programs that the pages talk about are those of BIN: `heat` stands for those that know nothing of stint, the demo
# for ./a.out. The commands of README.md install stint, and all others run that one.
set -u

source=$1
bin=$2
work=$3
cc=$4
unset STINT_REPORT STINT_OUTPUT STINT_ENABLE STINT_TRACE || true

# extract PAGE - the commands of a page, one block after another; a line "#block" begins each.
extract()
{
    awk '
        /^ *```/ { shell = !inside && /^ *```sh$/; inside = !inside; if (inside) print "#block"; next }
        inside && shell { print; next }
        inside && /^# needs / { print }
        inside && sub(/^\$ /, "") { print }
    ' "$source/$1"
}

# missing LINE - what "# needs ..." in LINE names that is not there.
missing()
{
    echo "$1" | sed -n 's/.*# needs \(.*\)/\1/p' | tr ',' '\n' | while read -r need; do
        case $need in
        "a GPU" | "an idle machine" | minutes) false ;; # tests have none of them; tests/gpu runs what needs a GPU
        *) command -v "$need" ;;
        esac >/dev/null || echo "$need"
    done
}

# script PAGE - what runs a page's commands, in one shell: `check` after each leaves $? as it was.
script()
{
    chunk=""
    lacking=""
    extract "$1" | while IFS= read -r line; do
        if [ "$line" = "#block" ]; then
            lacking=""
            continue
        fi
        case $line in
        "# needs "*) lacking=$(missing "$line") ;;
        esac
        chunk=$chunk$line
        case $line in
        *\\) complete=false ;;
        *) sh -n -c "$chunk" 2>/dev/null && complete=true || complete=false ;;
        esac
        if ! $complete; then
            chunk="$chunk
"
            continue
        fi
        quoted=$(printf '%s\n' "$chunk" | sed "s/'/'\\\\''/g")
        lacks=$(echo $lacking $(missing "$chunk"))
        case $chunk in
        "" | "#"*) ;;
        # These install packages, or build and test everything: tests within this test.
        sudo* | "sh samples/demo.sh"* | "sh tests/run.sh"*) ;;
        *)
            if [ -n "$lacks" ]; then
                echo "echo 'not run, needs $lacks: $(echo "$quoted" | head -n 1)'"
            else
                echo "$chunk"
                echo "check '$quoted'"
            fi
            ;;
        esac
        chunk=""
    done
}

# run PAGE - the folder that it runs in has the programs and files that the page takes for granted.
run()
{
    page=$1
    folder=$work/$(echo "$page" | tr / _)
    mkdir -p "$folder"
    : >"$folder/ran"
    prepare
    {
        echo "cd '$folder' || exit"
        cat <<'END'
failed=0
check()
{
    status=$?
    [ "$status" -eq 0 ] || case $1 in
    *--gate*) [ "$status" -eq 1 ] || [ "$status" -eq 3 ] || failed=1 ;;
    "echo "*) ;;
    *) failed=1 ;;
    esac
    [ "$failed" -eq 0 ] || { echo "commands.sh: exit status $status of: $1" && exit 1; }
    echo "ran: $1" >>ran
    return "$status"
}
END
        script "$page"
        echo "exit 0"
    } >"$folder/commands"
    sh "$folder/commands" >"$folder/output" 2>&1 ||
        { tail -n 30 "$folder/output"; echo "commands.sh: $page has a command that does not run"; return 1; }
    sed -n "s|^not run|$page: &|p" "$folder/output"
}

prepare()
{
    for program in heat train solver bench; do
        ln -sf "$bin/heat" "$folder/$program"
    done
    ln -sf "$bin/stint_demo" "$folder/a.out"
    ln -sf "$bin/scoped_timer" "$folder/scoped_timer"
    echo 'print("done")' | tee "$folder/convolution.py" "$folder/net.py" >"$folder/train.py"
    case $page in
    README.md)
        mkdir -p "$folder/build/demo/bin"
        ln -sf "$bin/stint_demo" "$folder/build/demo/bin/"
        for part in CHANGELOG.md CMakeLists.txt LICENSE README.md cmake docs include samples src; do
            cp -R "$source/$part" "$folder/"
        done
        for file in a b; do
            (cd "$folder" && STINT_REPORT=json STINT_OUTPUT=$file.json "$bin/stint_demo") >/dev/null 2>&1
        done
        ;;
    docs/functions.md) awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/$page" >"$folder/blur.cpp" ;;
    docs/cookbook.md | docs/man/stint-diff.1.md)
        printf '# limits\nscope:NVTX/step:avg < +5%%\nscope:NVTX/copy:avg < +5%%\n' >"$folder/limits.txt"
        awk -v to="$folder/" '/^\/\* [a-z]*\.c \*\/$/ { file = to $2 } /^```$/ { file = "" } file { print >file }' \
            "$source/$page" # programs that begin with their name
        for file in main1 main2 main3 main4 main5 before after; do
            (cd "$folder" && stint run --quiet --format json --log-file $file.json ./heat) >/dev/null
        done
        ;;
    docs/man/stint-export.1.md | docs/man/stint-stats.1.md)
        (cd "$folder" && stint run --quiet --report off --store train.sqlite ./heat) >/dev/null
        ;;
    samples/*)
        cp -R "$source/$(dirname "$page")/." "$folder/"
        cp "$source"/samples/bilinear.[ch] "$work/" # as beside the sample
        program=$(sed -n 's/^add_executable(\([a-z_]*\).*/\1/p' "$folder/CMakeLists.txt")
        [ "$program" = heat ] || ln -sf "$bin/$program" "$folder/"
        mkdir -p "$folder/build/test/tests"
        ln -sf "$bin/../tests/nvtx_tool" "$folder/build/test/tests/"
        ;;
    docs/man/stint-attach.1.md | docs/man/stint-metrics.1.md | docs/man/stint-top.1.md)
        cat >"$folder/serve.c" <<'END'
#include <stint/stint.h>
#include <unistd.h>

int main(void)
{
    for (int i = 0; i < 200; i++) {
        REGISTER_TIMER("request");
        usleep(100000);
    }
}
END
        "$cc" "$folder/serve.c" $(pkg-config --cflags --libs stint) \
            -Wl,-rpath,"$(pkg-config --variable=libdir stint)" -o "$folder/serve" || exit
        ;;
    esac
}

for program in heat stint_demo scoped_timer; do
    [ -x "$bin/$program" ] || { echo "commands.sh: no $program"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/home/bin"
CCACHE_DIR=${CCACHE_DIR:-$(ccache -k cache_dir 2>/dev/null)} # which is by default a folder of HOME
HOME=$work/home
PATH=$HOME/bin:$HOME/.local/bin:$PATH
PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig
CUDACXX=none # samples are C++ without a compiler for CUDA, which takes longer than all else
CMAKE_BUILD_TYPE=None # what is compiled is optimised otherwise, which takes twice as long
OMPI_ALLOW_RUN_AS_ROOT=1 # containers have no other user
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export CCACHE_DIR HOME PATH PKG_CONFIG_PATH CUDACXX CMAKE_BUILD_TYPE OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# Other pages, and other tests, may have programs of the same name on this machine.
cat >"$HOME/bin/pidof" <<'END'
#!/bin/sh
for pid in $(PATH=${PATH#*:} command -p pidof "$@"); do
    case $(readlink "/proc/$pid/exe") in "$PWD"/*) echo "$pid" ;; esac
done
END
# Compiles, unless the build that is tested has an object of that name: README.md's commands build the same.
cat >"$HOME/built" <<'END'
#!/bin/sh
before=
for argument; do
    case $before in
    -o) object=$PWD/$argument ;;
    -MF) depends=$argument ;;
    esac
    before=$argument
done
built=$BUILT/${object#*/build/install/}
[ -f "$built" ] && cp "$built" "$object" && echo "$object:" >"$depends" && echo "$built" >>"$HOME/taken" || exec "$@"
END
chmod +x "$HOME/bin/pidof" "$HOME/built"

# Most commands wait rather than work, so others run meanwhile. The first page installs what all use.
workers=4

# work N - runs the pages whose turn it is.
work()
{
    page_number=0
    for page in $(cd "$source" && ls docs/*.md docs/man/*.md samples/*/README.md); do
        page_number=$((page_number + 1))
        [ $((page_number % workers)) -eq "$1" ] || continue
        run "$page" || : >"$work/failed"
    done
}

(
    CMAKE_C_COMPILER_LAUNCHER=$work/home/built
    BUILT=${bin%/bin}
    export CMAKE_C_COMPILER_LAUNCHER BUILT
    run README.md
) || exit 1
grep -q . "$work/home/taken" || { echo "commands.sh: no object was taken from the build"; exit 1; }
for worker in $(seq 0 $((workers - 1))); do
    work "$worker" >"$work/said.$worker" 2>&1 &
done
wait
cat "$work"/said.*
ran=$(cat "$work"/*/ran | wc -l)
echo "$ran commands ran"
[ "$ran" -gt 40 ] || { echo "commands.sh: the pages cannot be read"; exit 1; }
[ ! -e "$work/failed" ]
