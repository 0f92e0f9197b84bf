# awk -f readme.awk PROGRAM README - fails unless the README's first block of C is the program.
FILENAME == ARGV[1] { program = program $0 "\n"; next }
/^```c$/ && !shown { inside = 1; next }
/^```$/ { shown = shown || inside; inside = 0 }
inside { text = text $0 "\n" }
END {
    if (text != program) {
        print "the README's program is not " ARGV[1]
        exit 1
    }
}
