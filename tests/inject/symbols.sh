#!/bin/sh
# symbols.sh INJECT - checks which symbols the library defines, and what it requires of a linker.
set -u

inject=$1
failed=0

complain()
{
    echo "symbols.sh: $inject $1"
    failed=1
}

expected='InitializeInjection
InitializeInjectionNvtx2
InitializeInjectionNvtxExtension
_Exit
__sysv_signal
_exit
bsd_signal
chroot
execl
execle
execlp
execv
execve
execveat
execvp
execvpe
fexecve
prctl
setegid
seteuid
setgid
setgroups
setns
setregid
setresgid
setresuid
setreuid
setuid
sigaction
sigaltstack
siginterrupt
signal
sigset
syscall
sysv_signal
unshare'
exported=$("$NM" -D --defined-only --format=posix "$inject" | sed 's/ .*//' | LC_ALL=C sort)
[ "$exported" = "$expected" ] || complain "exports other names: $exported"

dynamic=$("$READELF" -dW "$inject")
if printf '%s\n' "$dynamic" | grep NEEDED | grep -Ev '\[(libc|libm|libpthread|libdl|ld-linux[a-z0-9-]*)\.so\.[0-9]+\]'; then
    complain "needs these libraries"
fi
for flag in NODELETE NOW; do
    printf '%s\n' "$dynamic" | grep FLAGS | grep -qw "$flag" || complain "lacks the flag $flag"
done
"$READELF" -lW "$inject" | grep -q GNU_RELRO || complain "has no GNU_RELRO segment"
"$READELF" -lW "$inject" | grep GNU_STACK | grep -q RWE && complain "has an executable stack"

exit $failed
