# Prints the program of a Markdown page: its last block of C.
/^```c$/ { inside = 1; text = ""; next }
/^```$/ { inside = 0 }
inside { text = text $0 "\n" }
END { printf "%s", text }
